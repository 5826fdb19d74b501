import { CalendarDays, Info } from 'lucide-react';
import { useEffect } from 'react';
import { progressOf, StaySwitcher } from '#features/stays/web/stay/StayFrame.tsx';
import type { NamedStay } from '#features/stays/web/stays.ts';
import { rangeOf } from '#platform/shared/dates.ts';
import { useSite } from '#platform/web/site.tsx';
import { useNotices } from '#platform/web/ui/notices.tsx';
import { TextSizeControl } from '#platform/web/ui/TextSize.tsx';
import { useDropdown } from '#platform/web/ui/useDropdown.ts';

/** Name, dates and state of a stay in two lines, and what leads elsewhere on the page: the photos come first. */
export function FamilyHeader({ stay }: { stay: NamedStay }) {
  const { locale, today } = useSite();
  const { arrive } = useNotices();
  useEffect(arrive, [arrive]);
  return (
    <header className="relative mx-auto flex w-full max-w-6xl flex-wrap items-center justify-between gap-x-3 gap-y-1 px-4 pt-2 sm:gap-x-6 sm:pt-4">
      <div className="min-w-0 grow basis-52">
        <h1 className="max-sm:text-[1.375rem] sm:text-[1.75rem]">{stay.nom_stage}</h1>
        <div className="flex flex-wrap items-center gap-x-1.5 gap-y-1 sm:gap-x-2">
          <CalendarDays aria-hidden="true" className="size-5 shrink-0 text-pine max-sm:hidden" />
          <p className="first-letter:uppercase max-sm:text-sm">
            {rangeOf(stay.date_debut, stay.date_fin, locale)}
          </p>
          <p className="rounded-full bg-sun px-2 text-sm font-semibold text-on-sun max-sm:px-1.5 max-sm:text-note">
            {progressOf(stay, today)}
          </p>
          <StaySwitcher />
        </div>
      </div>
      <Places />
    </header>
  );
}

/** Sections after the photos, linked at the top because there may be thousands of photos. */
const PLACES = [
  { id: 'infos', label: 'Informations pratiques' },
  { id: 'livrets', label: 'Livrets' },
  { id: 'questionnaire', label: 'Votre avis' },
];

/** Links to the sections and the size of texts: in a menu on a phone, in a line where there is room. */
function Places() {
  const menu = useDropdown<HTMLDivElement>({ opensOnHover: false });
  return (
    <div ref={menu.ref} className="sm:-mr-2">
      <button type="button" className="button quiet gallery-tool min-w-11 sm:hidden" {...menu.button}>
        <Info aria-hidden="true" className="size-5" />
        Infos
      </button>
      <div
        id={menu.id}
        className={`dropdown family-menu max-sm:inset-x-4 max-sm:top-full ${menu.isOpen ? '' : 'closed'}`}
      >
        <nav aria-label="Sur cette page">
          <ul className="sm:flex sm:gap-x-5">
            {PLACES.map(({ id, label }) => (
              <li key={id}>
                <a href={`#${id}`} className="flex min-h-11 items-center px-3 sm:px-0">
                  {label}
                </a>
              </li>
            ))}
          </ul>
        </nav>
        <div className="flex items-center">
          <span aria-hidden="true" className="grow pl-3 sm:hidden">
            Taille des textes
          </span>
          <TextSizeControl />
        </div>
      </div>
    </div>
  );
}
