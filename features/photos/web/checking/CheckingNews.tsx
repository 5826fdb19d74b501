import { PHOTO_STATES } from '#features/photos/shared/terms.ts';
import type { useChecking } from './useChecking.ts';

/** Why photos came back; there before anything is said in it. */
export function Trouble({ text }: { text: string | undefined }) {
  return (
    <div role="alert" className="empty:-mb-3">
      {text && (
        <div className="rounded-[10px] border-2 border-coral p-3">
          <p className="font-semibold">
            Des décisions n’ont pas pu être enregistrées{'\u202f'}: leurs photos reviennent.
          </p>
          <p className="text-sm">{text}</p>
        </div>
      )}
    </div>
  );
}

/** What somebody else did of the photo that is shown; there before anything is said in it. */
export function News({ news, onLeave }: { news: ReturnType<typeof useChecking>['news']; onLeave(): void }) {
  return (
    <div role="status" className="empty:-mb-3">
      {news && (
        <div className="flex flex-wrap items-center justify-between gap-2 rounded-[10px] bg-mist p-3">
          <p className="font-semibold">
            {news === 'gone'
              ? 'Supprimée par quelqu’un d’autre.'
              : `Déjà vérifiée par quelqu’un d’autre\u202f: ${PHOTO_STATES[news].toLowerCase()}.`}
          </p>
          <button type="button" className="button quiet" onClick={onLeave}>
            Continuer
          </button>
        </div>
      )}
    </div>
  );
}
