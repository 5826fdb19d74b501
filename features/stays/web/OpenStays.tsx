import { ArrowRight } from 'lucide-react';
import { useId } from 'react';
import { useStays } from '#platform/web/session.ts';
import { useAction } from '#platform/web/ui/useAction.ts';
import { nameOfSession, useSwitchStay } from './useSwitchStay.ts';

/** The stays that need no password, as this device has opened them; nothing when there is none. */
export function OpenStays() {
  const id = useId();
  const stays = useStays();
  const { isBusy, run } = useAction();
  const switchStay = useSwitchStay();
  if (stays.length === 0) return null;
  return (
    <section aria-labelledby={id} className="mb-6 border-b border-mist pb-6">
      <h2 id={id} className="mb-3 text-lg">
        Déjà ouvert sur cet appareil
      </h2>
      <ul className="flex flex-col gap-3">
        {stays.map((stay) => (
          <li key={stay.token}>
            <button
              type="button"
              className="button quiet w-full justify-between text-left wrap-anywhere"
              aria-disabled={isBusy}
              onClick={() => run(() => switchStay(stay), 'Erreur de connexion')}
            >
              {nameOfSession(stay)}
              <ArrowRight aria-hidden="true" className="size-5 shrink-0" />
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
