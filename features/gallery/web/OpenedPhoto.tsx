import { Download, EyeOff, Heart } from 'lucide-react';
import { useId, useState } from 'react';
import { createPortal } from 'react-dom';
import type { Photo } from '#features/photos/calls.ts';
import { sourcesOf } from '#features/photos/web/grid/layout.ts';
import { useAskPhotos } from '#features/photos/web/useStayPhotos.ts';
import { call } from '#platform/web/api.ts';
import { useSite } from '#platform/web/site.tsx';
import { useModal } from '#platform/web/ui/dialogs.tsx';
import { FormButtons, TextArea } from '#platform/web/ui/Field.tsx';
import { weekdayOf } from '#platform/web/ui/texts.ts';
import { useForm } from '#platform/web/ui/useForm.ts';
import { OpeningPhoto, useLightbox, useThumbnailsAside } from './opening.tsx';
import { PrintPhotoButton } from './PrintButtons.tsx';
import { SaveButton } from './SelectionBar.tsx';
import { type Keeping, keepingOf, NOT_TO_PUBLISH } from './save.ts';
import type { GalleryStay } from './useFeeds.ts';
import { useNames } from './useTicks.ts';

interface OpenedPhotoProps {
  stayOf(photo: Photo): GalleryStay;
  photos: readonly Photo[];
  opened: { photo: number; plays: boolean };
  /** Number of a photo in its day. */
  numberOf(photo: Photo): number;
  favourites: { ids: ReadonlySet<number>; put(ids: readonly number[], isFavourite: boolean): void };
  onView(id: number): void;
  onClose(): void;
}

/** A photo open over the page, with a family's actions. */
export function OpenedPhoto(props: OpenedPhotoProps) {
  const { stayOf, photos, opened, numberOf, favourites, onView, onClose } = props;
  const { locale } = useSite();
  // Names without new and favourite: otherwise a press on « Favori » would rename every photo.
  const nameOf = useNames(photos.length, stayOf);
  const [unwanted, setUnwanted] = useState<Photo>();
  const Lightbox = useLightbox(onClose);
  const first = photos.find(({ id }) => id === opened.photo);
  const [isOpening, setOpening] = useState(true);
  const [hasEntered, setEntered] = useState(false);
  useThumbnailsAside(isOpening);
  return (
    <>
      {first && !hasEntered && (
        <OpeningPhoto
          photo={first}
          isBehind={Lightbox !== undefined}
          onSharp={() => setOpening(false)}
          onClose={onClose}
        />
      )}
      {Lightbox && (
        <Lightbox
          key={opened.photo}
          photos={photos}
          first={opened.photo}
          plays={opened.plays}
          nameOf={nameOf}
          onView={onView}
          onEntered={() => setEntered(true)}
          onSharp={() => setOpening(false)}
          onClose={onClose}
        >
          {(photo, place) => (
            <PhotoBar
              photo={photo}
              where={[
                `${place + 1} sur ${photos.length}`,
                weekdayOf(photo.jour, locale),
                ...(stayOf(photo).name ? [stayOf(photo).name?.whole] : []),
              ].join(' · ')}
              keeping={keepingOf(photo, numberOf(photo), stayOf(photo))}
              isFavourite={favourites.ids.has(photo.id)}
              onFavour={(isFavourite) => favourites.put([photo.id], isFavourite)}
              onRemoval={() => setUnwanted(photo)}
            />
          )}
        </Lightbox>
      )}
      {unwanted && (
        <RemovalDialog photo={unwanted} stay={stayOf(unwanted)} onClose={() => setUnwanted(undefined)} />
      )}
    </>
  );
}

interface PhotoBarProps {
  photo: Photo;
  /** « 12 sur 300 · mercredi 8 juillet ». */
  where: string;
  keeping: Keeping | undefined;
  isFavourite: boolean;
  onFavour(isFavourite: boolean): void;
  onRemoval(): void;
}

/** Bar under an open photo, within reach of a thumb: its caption, its place and its actions. */
function PhotoBar({ photo, where, keeping, isFavourite, onFavour, onRemoval }: PhotoBarProps) {
  /** True once somebody has saved a photo here; not before, as the line takes room from the photo. */
  const [hasSaved, setSaved] = useState(false);
  return (
    <>
      <div className="min-w-0 px-1">
        {photo.legende && <p className="max-h-24 overflow-y-auto wrap-anywhere">{photo.legende}</p>}
        <p className="text-sm text-[#d5e2dc]">{where}</p>
        <p role="status" className="text-sm font-semibold empty:hidden">
          {hasSaved && NOT_TO_PUBLISH}
        </p>
      </div>
      <div className="flex flex-wrap gap-1">
        {keeping && (
          <SaveButton
            keepings={[keeping]}
            classNames={{ button: 'photo-lightbox-button', failure: 'text-sm text-[#f39a84]' }}
            onSave={() => setSaved(true)}
          >
            <Download aria-hidden="true" className="size-6" />
          </SaveButton>
        )}
        <button
          type="button"
          className="photo-lightbox-button"
          aria-pressed={isFavourite}
          onClick={() => onFavour(!isFavourite)}
        >
          <Heart
            aria-hidden="true"
            className={`size-6 ${isFavourite ? 'fill-current text-[#ffc043]' : ''}`}
          />
          Favori
        </button>
        <PrintPhotoButton photo={photo} />
        <button type="button" className="photo-lightbox-button" onClick={onRemoval}>
          <EyeOff aria-hidden="true" className="size-6" />
          Demander le retrait
        </button>
      </div>
    </>
  );
}

interface RemovalDialogProps {
  photo: Photo;
  stay: GalleryStay;
  onClose(): void;
}

/** Requests the removal of a photo, with an optional message, and shows the answer. */
function RemovalDialog({ photo, stay: { stageId, as }, onClose }: RemovalDialogProps) {
  const askPhotos = useAskPhotos(stageId, as);
  const modal = useModal(onClose);
  const id = useId();
  const [failure, setFailure] = useState('');
  const [answer, setAnswer] = useState('');
  const { form, errors, isBusy } = useForm({
    send: (sent) => {
      setFailure('');
      const mot = String(new FormData(sent).get('mot') ?? '');
      return call('POST /photos/:id/retrait', { as, params: { id: photo.id }, body: { mot } });
    },
    onDone: ({ message }) => {
      setAnswer(message);
      void askPhotos();
    },
    failure: 'Erreur lors de la demande de retrait',
    // Shown here, because a notice of the page would lie behind this dialog.
    onFailed: (error) => {
      setFailure(error.message);
      return true;
    },
  });
  // Rendered in `body`: the page is out of reach while a photo is open over it.
  return createPortal(
    <dialog {...modal} aria-labelledby={`${id}-title`} className="dialog max-w-md">
      <h2 id={`${id}-title`} className="text-xl">
        {answer ? 'Demande envoyée' : 'Demander le retrait de cette photo'}
      </h2>
      <div role="status">{answer && <p className="mt-3">{answer}</p>}</div>
      {answer ? (
        <button type="button" className="button mt-6" ref={(button) => button?.focus()} onClick={onClose}>
          Fermer
        </button>
      ) : (
        <form {...form} className="mt-3 flex flex-col gap-4">
          <div className="flex flex-wrap items-start gap-4">
            <img src={sourcesOf(photo)[0]?.src} alt="" className="max-h-24 max-w-28 rounded-control" />
            <p className="min-w-0 flex-1 basis-52">
              L’équipe du séjour regardera votre demande. En attendant, la photo est cachée à toutes les
              familles, sauf si beaucoup de demandes ont déjà été faites aujourd’hui.
            </p>
          </div>
          <TextArea label="Un mot pour l’équipe" name="mot" error={errors.mot} maxLength={1_000} />
          <p role="alert" className="text-coral empty:hidden">
            {failure}
          </p>
          <FormButtons yes="Demander le retrait" busy="Envoi…" isBusy={isBusy} onCancel={onClose} />
        </form>
      )}
    </dialog>,
    document.body,
  );
}
