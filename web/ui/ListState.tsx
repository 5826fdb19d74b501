import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';

interface ListStateProps<T> {
  query: UseQueryResult<T[]>;
  /** Said when the list cannot be loaded. */
  failed: string;
  /** Said when there is nothing in it. */
  empty: string;
  children(items: T[]): ReactNode;
}

/** A list that says where it stands: on its way, not loaded (with another try), empty, or there. */
export function ListState<T>({ query, failed, empty, children }: ListStateProps<T>) {
  const { data, isError, refetch } = query;
  if (data && data.length > 0) return children(data);
  if (data) return <p className="well">{empty}</p>;
  if (!isError) return <p className="well">Chargement…</p>;
  return (
    <div className="well" role="alert">
      <p>{failed}</p>
      <button type="button" className="button mt-3" onClick={() => refetch()}>
        Réessayer
      </button>
    </div>
  );
}
