import { Download, Heart, Share, X } from 'lucide-react';
import { useState } from 'react';
import type { Photo } from '#features/photos/calls.ts';
import type { Viewer } from '#features/photos/web/useStayPhotos.ts';
import { addressOf, call } from '#platform/web/api.ts';
import { useAction } from '#platform/web/ui/useAction.ts';
import { tickedText } from './FilterBar.tsx';
import { SaveButton } from './SaveButton.tsx';
import { keepingOf, saveAt, sharesFiles } from './save.ts';

interface SelectionBarProps {
  stageId: number;
  as: Viewer;
  ticked: readonly Photo[];
  favourites: { ids: ReadonlySet<number>; put(ids: readonly number[], isFavourite: boolean): void };
  numberOf(photo: Photo): number;
  onEnd(): void;
}

/** Photos that the sheet of a device takes at once. */
const SHARED_AT_ONCE = 20;

/** What can be done with the photos that are ticked, at the bottom of the window. */
export function SelectionBar({ stageId, as, ticked, favourites, numberOf, onEnd }: SelectionBarProps) {
  const { isBusy, run } = useAction();
  const [mayShare] = useState(sharesFiles);
  const ids = ticked.map(({ id }) => id);
  const areAllFavourites = ids.every((id) => favourites.ids.has(id));
  const download = () =>
    run(async () => {
      const { cle } = await call('POST /photos/selection', { as, body: { stageId, ids } });
      saveAt(addressOf('GET /stages/:id/photos.zip', { params: { id: stageId }, query: { selection: cle } }));
    }, 'Erreur lors de la préparation du téléchargement');
  return (
    <section aria-label="Photos choisies" className="selection-bar">
      <p role="status" className="grow font-semibold">
        {tickedText(ids.length)}
      </p>
      <div className="flex flex-wrap gap-2">
        {ids.length > 0 && (
          <>
            <button type="button" className="button" aria-disabled={isBusy} onClick={download}>
              <Download aria-hidden="true" className="size-5" />
              Télécharger ({ids.length.toLocaleString('fr-FR')})
            </button>
            {mayShare && ids.length <= SHARED_AT_ONCE && (
              <SaveButton
                keepings={ticked.flatMap((photo) => keepingOf(photo, numberOf(photo)) ?? [])}
                look={{ button: 'button quiet', failure: 'text-coral' }}
              >
                <Share aria-hidden="true" className="size-5" />
              </SaveButton>
            )}
            <button
              type="button"
              className="button quiet"
              onClick={() => favourites.put(ids, !areAllFavourites)}
            >
              <Heart aria-hidden="true" className={`size-5 ${areAllFavourites ? 'fill-current' : ''}`} />
              {areAllFavourites ? 'Retirer des favoris' : 'Mettre en favori'}
            </button>
          </>
        )}
        <button type="button" className="button quiet" onClick={onEnd}>
          <X aria-hidden="true" className="size-5" />
          Terminer
        </button>
      </div>
    </section>
  );
}
