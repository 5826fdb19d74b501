import { nameOfSession, useSwitchStay } from '#features/stays/web/useSwitchStay.ts';
import type { StaySession } from '#platform/web/session.ts';
import { Drawing } from '#platform/web/ui/Drawing.tsx';
import { useAction } from '#platform/web/ui/useAction.ts';
import { useTitle } from '#platform/web/useTitle.ts';

/**
 * In the place of a stay that this device has opened, while it shows another one. Opened by a press: two windows
 * that took it back from each other by themselves would never end.
 */
export function OtherStay({ stays }: { stays: readonly StaySession[] }) {
  const { isBusy, run } = useAction();
  const switchStay = useSwitchStay();
  useTitle('Changer de séjour');
  return (
    <main id="contenu" tabIndex={-1}>
      <Drawing name="lake" className="h-[clamp(7rem,18vw,14rem)] w-full" />
      <div className="page relative z-10 -mt-12 max-w-xl pt-0">
        <div className="card items-start gap-4 p-5 sm:p-8">
          <h1 className="text-2xl sm:text-3xl">Changer de séjour</h1>
          <p>
            Vous aviez ouvert un autre séjour. Touchez le bouton pour revenir à celui-ci{'\u202f'}; l’autre
            reste ouvert sur cet appareil.
          </p>
          {stays.map((stay) => (
            <button
              key={stay.token}
              type="button"
              className="button max-w-full wrap-anywhere"
              aria-disabled={isBusy}
              onClick={() => run(() => switchStay(stay), 'Erreur lors du changement de séjour')}
            >
              Ouvrir {nameOfSession(stay)}
            </button>
          ))}
        </div>
      </div>
    </main>
  );
}
