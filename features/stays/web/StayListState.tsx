import type { UseQueryResult } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { panelAddress } from '#platform/web/panelAddress.ts';
import { ListState } from '#platform/web/ui/ListState.tsx';
import { type NamedStay, stayFormAddress } from './stays.ts';

interface StayListStateProps<S extends NamedStay> {
  query: UseQueryResult<S[]>;
  children(stays: S[]): ReactNode;
}

/** The stays for a panel; where there is none, the ways to the first one. */
export function StayListState<S extends NamedStay>({ query, children }: StayListStateProps<S>) {
  return (
    <ListState
      query={query}
      failed="Les séjours n’ont pas pu être chargés."
      drawing="campfire"
      empty={
        <>
          <p className="mb-4">Aucun séjour pour le moment.</p>
          <p className="flex flex-wrap gap-3">
            <NewStayLink />
            <Link className="button quiet" to={panelAddress('sejours-importer')}>
              Importer des séjours
            </Link>
          </p>
        </>
      }
    >
      {children}
    </ListState>
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
