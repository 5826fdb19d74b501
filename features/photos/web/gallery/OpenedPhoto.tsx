import { type ComponentType, useEffect, useState } from 'react';
import type { Photo } from '#features/photos/calls.ts';
import { useAskPhotos, type Viewer } from '#features/photos/web/useStayPhotos.ts';
import { useSite } from '#platform/web/site.tsx';
import { useNotices } from '#platform/web/ui/notices.tsx';
import { weekdayOf } from '#platform/web/ui/texts.ts';
import { PhotoBar } from './PhotoBar.tsx';
import type { PhotoLightboxProps } from './PhotoLightbox.tsx';
import { RemovalDialog } from './RemovalDialog.tsx';
import { keepingOf } from './save.ts';
import { useNames } from './useTicks.ts';

interface OpenedPhotoProps {
  stageId: number;
  as: Viewer;
  photos: readonly Photo[];
  opened: { photo: number; plays: boolean };
  /** Which one of its day it is. */
  numberOf(photo: Photo): number;
  favourites: { ids: ReadonlySet<number>; put(ids: readonly number[], isFavourite: boolean): void };
  onView(id: number): void;
  onClose(): void;
}

/** A photo over the page, and what a family does with it. What shows it is fetched with the first one. */
export function OpenedPhoto(props: OpenedPhotoProps) {
  const { stageId, as, photos, opened, numberOf, favourites, onView, onClose } = props;
  const { locale } = useSite();
  // Without what this device remembers: a press on « Favori » would name all of them anew.
  const nameOf = useNames(photos.length);
  const askPhotos = useAskPhotos(stageId, as);
  const [unwanted, setUnwanted] = useState<Photo>();
  const Lightbox = useLightbox(onClose);
  if (!Lightbox) return null;
  return (
    <>
      <Lightbox
        key={opened.photo}
        photos={photos}
        first={opened.photo}
        plays={opened.plays}
        nameOf={nameOf}
        onView={onView}
        onClose={onClose}
      >
        {(photo, place) => (
          <PhotoBar
            photo={photo}
            where={`${place + 1} sur ${photos.length} · ${weekdayOf(photo.jour, locale)}`}
            keeping={keepingOf(photo, numberOf(photo))}
            isFavourite={favourites.ids.has(photo.id)}
            onFavour={(isFavourite) => favourites.put([photo.id], isFavourite)}
            onRemoval={() => setUnwanted(photo)}
          />
        )}
      </Lightbox>
      {unwanted && (
        <RemovalDialog photo={unwanted} as={as} onAsked={askPhotos} onClose={() => setUnwanted(undefined)} />
      )}
    </>
  );
}

function useLightbox(onFailed: () => void): ComponentType<PhotoLightboxProps> | undefined {
  const [Lightbox, setLightbox] = useState<ComponentType<PhotoLightboxProps>>();
  const { warn } = useNotices();
  // biome-ignore lint/correctness/useExhaustiveDependencies: fetched once
  useEffect(() => {
    import('./PhotoLightbox.tsx').then(
      (loaded) => setLightbox(() => loaded.PhotoLightbox),
      () => {
        warn('La photo ne peut pas s’ouvrir pour le moment.', 'Vérifiez votre connexion, puis réessayez.');
        onFailed();
      },
    );
  }, []);
  return Lightbox;
}
