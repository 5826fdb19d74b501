import { Plus } from 'lucide-react';
import { panelAddress } from '#platform/web/portal.ts';
import { Link } from '#platform/web/ui/Link.tsx';
import { stayFormAddress } from './stays.ts';

/* Apart from the lists of stays, which the first page of the portal does without. */

/** The two ways to have stays: one by one, or from a file. */
export function NewStayWays() {
  return (
    <p className="flex flex-wrap gap-3">
      <NewStayLink />
      <Link className="button quiet" to={panelAddress('sejours-importer')}>
        Importer des séjours
      </Link>
    </p>
  );
}

export function NewStayLink() {
  return (
    <Link className="button w-fit" to={stayFormAddress('nouveau')}>
      <Plus aria-hidden="true" className="size-5" />
      Créer un séjour
    </Link>
  );
}
