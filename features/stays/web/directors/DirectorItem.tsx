import { Mail, Phone } from 'lucide-react';
import { Link } from 'react-router';
import type { Director } from '#features/stays/calls.ts';
import { CATEGORIES } from '#features/stays/shared/terms.ts';
import { stayLabel } from '#features/stays/web/stays.ts';
import { panelAddress } from '#platform/web/portal.ts';
import { useSite } from '#platform/web/site.tsx';
import { telephoneAddress } from '#platform/web/ui/texts.ts';
import { nameOf } from './directors.ts';
import { useRemoval } from './useRemoval.tsx';

interface DirectorItemProps {
  director: Director;
  onEdit(director: Director): void;
  /** The director is about to leave the list, and the keyboard’s focus with it. */
  onGone(): void;
}

const CONTACT = 'flex min-h-11 min-w-0 items-center gap-2';

/** One director: how to reach them, which stays, and what can be done. */
export function DirectorItem({ director, onEdit, onGone }: DirectorItemProps) {
  const { id, mail, telephone, sejours } = director;
  const { locale } = useSite();
  const { isBusy, remove } = useRemoval(director, onGone);
  const name = nameOf(director);
  const number = telephoneAddress(telephone);
  return (
    <li className="border-b border-mist py-5 wrap-anywhere">
      <h3>{name}</h3>
      <div className="flex flex-wrap gap-x-6">
        <a href={`mailto:${mail}`} className={CONTACT}>
          <Mail aria-hidden="true" className="size-4 shrink-0" />
          {mail}
        </a>
        {number ? (
          <a href={number} className={CONTACT}>
            <Phone aria-hidden="true" className="size-4 shrink-0" />
            {telephone}
          </a>
        ) : (
          <p className={CONTACT}>
            <Phone aria-hidden="true" className="size-4 shrink-0" />
            {telephone}
          </p>
        )}
      </div>
      {sejours.length === 0 && <p className="mt-1 text-quiet">Aucun séjour.</p>}
      {sejours.length > 0 && (
        <ul className="mt-1 flex flex-col gap-1.5">
          {sejours.map((stay) => (
            <li key={stay.stageId} className="flex flex-wrap items-center gap-x-3">
              {stayLabel(stay, locale)}
              <span className="rounded-full bg-mist px-3 text-sm font-semibold">{CATEGORIES[stay.cat]}</span>
            </li>
          ))}
        </ul>
      )}
      <div className="mt-4 flex flex-wrap gap-2">
        <button
          type="button"
          className="button quiet"
          aria-label={`Modifier ${name}`}
          onClick={() => onEdit(director)}
        >
          Modifier
        </button>
        <Link
          className="button quiet"
          to={`${panelAddress('sejours-affecter')}&directeur=${id}`}
          aria-label={`Affecter des séjours à ${name}`}
        >
          Affecter des séjours
        </Link>
        <button
          type="button"
          className="button danger ml-auto"
          aria-label={`Supprimer ${name}`}
          aria-disabled={isBusy}
          onClick={remove}
        >
          Supprimer
        </button>
      </div>
    </li>
  );
}
