import { ChevronDown } from 'lucide-react';
import { nameOfSession, useSwitchStay } from '#features/stays/web/useSwitchStay.ts';
import { type StaySession, useStaySession, useStays } from '#platform/web/session.ts';
import { useConfirmLeaving } from '#platform/web/ui/unsaved.ts';
import { useAction } from '#platform/web/ui/useAction.ts';
import { useDropdown } from '#platform/web/ui/useDropdown.ts';

/** The other stays of this device; nothing when there is none. */
export function StaySwitcher() {
  const menu = useDropdown<HTMLDivElement>({ opensOnHover: false });
  const current = useStaySession();
  const others = useStays().filter(({ token }) => token !== current?.token);
  const { isBusy, run } = useAction();
  const switchStay = useSwitchStay();
  const confirmLeaving = useConfirmLeaving();
  const choose = async (stay: StaySession) => {
    if (await confirmLeaving()) run(() => switchStay(stay), 'Erreur lors du changement de séjour');
  };
  if (others.length === 0) return null;
  return (
    <div ref={menu.ref} className="relative">
      <button type="button" className="button quiet" aria-disabled={isBusy} {...menu.button}>
        Changer de séjour
        <ChevronDown aria-hidden="true" className="size-5" />
      </button>
      <ul
        id={menu.id}
        className={`dropdown left-0 w-72 max-w-[calc(100vw-4rem)] ${menu.isOpen ? '' : 'closed'}`}
      >
        {others.map((stay) => (
          <li key={stay.token}>
            <button type="button" className="menu-link wrap-anywhere" onClick={() => choose(stay)}>
              {nameOfSession(stay)}
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}
