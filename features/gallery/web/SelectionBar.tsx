import { ArrowUp, Download, Heart, Share, Sparkles, X } from 'lucide-react';
import { useEffect, useState } from 'react';
import { countOf } from '#features/checking/web/texts.ts';
import type { Photo } from '#features/photos/calls.ts';
import { addressOf, call } from '#platform/web/api.ts';
import { groupBy } from '#platform/web/groupBy.ts';
import { Button } from '#platform/web/ui/Button.tsx';
import { follow } from '#platform/web/ui/inBrowser.tsx';
import { numberText } from '#platform/web/ui/texts.ts';
import { useAction } from '#platform/web/ui/useForm.ts';
import { PrintTickedButton } from './print.tsx';
import { lightText, NOT_TO_PUBLISH, SaveButton, saveAt, sharesFiles } from './save.tsx';
import type { GalleryStay } from './useFeeds.ts';
import { useShared } from './useGallery.ts';

/** Number of photos that the share sheet of a device accepts at once. */
const SHARED_AT_ONCE = 20;

export function SelectionBar({ ticked }: { ticked: readonly Photo[] }) {
  const { ticks, favourites, stayOf, keepingOf } = useShared();
  const { isBusy, run } = useAction();
  const [mayShare] = useState(sharesFiles);
  const ids = ticked.map(({ id }) => id);
  const areAllFavourites = ids.every((id) => favourites.ids.has(id));
  // One file a stay, each by a press of its own: browsers stop the second file of one press.
  const selections = [...groupBy(ticked, stayOf)];
  const download = ({ stageId, as }: GalleryStay, photos: readonly Photo[]) =>
    run(async () => {
      const ids = photos.map(({ id }) => id);
      const { cle } = await call('POST /photos/selection', { as, body: { stageId, ids } });
      saveAt(addressOf('GET /stages/:id/photos.zip', { params: { id: stageId }, query: { selection: cle } }));
    }, 'Erreur lors de la préparation du téléchargement');
  return (
    <section aria-label="Photos choisies" className="selection-bar">
      <p role="status" className="grow font-semibold">
        {tickedText(ids.length)}
        {ids.length > 0 && (
          <span className="block text-sm font-normal">
            {NOT_TO_PUBLISH} {lightText(ticked)}
            {selections.length > 1 && ' Chaque séjour a son fichier.'}
          </span>
        )}
      </p>
      <div className="flex flex-wrap gap-2">
        {ids.length > 0 && (
          <>
            {selections.map(([stay, photos]) => (
              <Button
                key={stay.stageId}
                className="max-w-full wrap-anywhere"
                aria-disabled={isBusy}
                onClick={() => download(stay, photos)}
              >
                <Download className="size-5 shrink-0" />
                Télécharger{selections.length > 1 && ` ${stay.name?.short}`} ({numberText(photos.length)})
              </Button>
            ))}
            {mayShare && ids.length <= SHARED_AT_ONCE && (
              <SaveButton
                keepings={ticked.flatMap((photo) => keepingOf(photo) ?? [])}
                classNames={{ button: 'button quiet', failure: 'text-coral' }}
              >
                <Share className="size-5" />
              </SaveButton>
            )}
            <PrintTickedButton photos={ticked} />
            <Button quiet onClick={() => favourites.put(ids, !areAllFavourites)}>
              <Heart className={`size-5 ${areAllFavourites ? 'fill-current' : ''}`} />
              {areAllFavourites ? 'Retirer des favoris' : 'Mettre en favori'}
            </Button>
          </>
        )}
        <Button quiet onClick={ticks.end}>
          <X className="size-5" />
          Terminer
        </Button>
      </div>
    </section>
  );
}

interface FloatingButtonProps {
  /** Number of photos that have arrived and wait to be shown. */
  waiting: number;
  /** Shows them, and leads to the first one. */
  onNew(): void;
  onTop(): void;
}

/** Button that leads to photos that have arrived; while there are none, from far down to the top of the page. */
export function FloatingButton({ waiting, onNew, onTop }: FloatingButtonProps) {
  const isFar = useIsFar();
  const text = waiting === 1 ? 'Une nouvelle photo' : `${waiting}\u00a0nouvelles photos`;
  return (
    <div className="gallery-float">
      <p role="status" className="sr-only">
        {waiting > 0 && `${text} à voir`}
      </p>
      {waiting > 0 ? (
        <Button className="bg-sun! text-on-sun! shadow-card" onClick={onNew}>
          <Sparkles className="size-5" />
          {text}
        </Button>
      ) : (
        isFar && (
          <Button className="shadow-card" onClick={onTop}>
            <ArrowUp className="size-5" />
            En haut
          </Button>
        )
      )}
    </div>
  );
}

function useIsFar(): boolean {
  const [isFar, setFar] = useState(false);
  useEffect(() => {
    const update = () => setFar(window.scrollY > 3 * window.innerHeight);
    update();
    return follow(window, { scroll: update }, { passive: true });
  }, []);
  return isFar;
}

function tickedText(count: number): string {
  if (count === 0) return 'Touchez les photos à choisir.';
  return countOf(count, 'choisie');
}
