import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { LoadState } from '#platform/web/ui/LoadState.tsx';

interface StayMainProps<T> {
  query: UseQueryResult<T>;
  children(stay: T): ReactNode;
}

/** The main part of a stay's page, once the stay is there. */
export function StayMain<T>({ query, children }: StayMainProps<T>) {
  return (
    <main id="contenu" tabIndex={-1} className="grow">
      <LoadState
        query={query}
        failed="Le séjour n’a pas pu être chargé."
        frame={(state) => <div className="page">{state}</div>}
      >
        {children}
      </LoadState>
    </main>
  );
}
