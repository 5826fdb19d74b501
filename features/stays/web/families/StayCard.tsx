import type { RefObject } from 'react';
import { Link } from 'react-router';
import type { Child } from '#features/stays/calls.ts';
import type { NamedStay } from '#features/stays/web/stays.ts';
import { rangeOf } from '#platform/shared/dates.ts';
import { panelAddress } from '#platform/web/portal.ts';
import { useSite } from '#platform/web/site.tsx';
import { countOf } from './ChildForm.tsx';

interface StayCardProps {
  stay: NamedStay;
  items: readonly Child[];
  /** Where the focus goes when what had it is gone. */
  heading: RefObject<HTMLHeadingElement | null>;
}

/** The chosen stay, and how many children it has. */
export function StayCard({ stay, items, heading }: StayCardProps) {
  const { locale } = useSite();
  return (
    <div className="card gap-1 p-5">
      <h2 ref={heading} tabIndex={-1} className="text-xl wrap-anywhere">
        {stay.nom_stage}
      </h2>
      <p className="text-quiet first-letter:uppercase">{rangeOf(stay.date_debut, stay.date_fin, locale)}</p>
      <p role="status" className="font-semibold">
        {items.length > 0 ? countOf(items) : 'Aucun enfant pour le moment.'}
      </p>
      {items.length === 0 && (
        <p>
          <Link to={panelAddress('familles-importer')}>Importez un fichier</Link> de familles, ou ajoutez les
          enfants un par un.
        </p>
      )}
    </div>
  );
}
