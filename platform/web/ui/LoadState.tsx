import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';

interface LoadStateProps<T> {
  query: UseQueryResult<T>;
  /** Said when it cannot be loaded. */
  failed: string;
  /** Around what is said while there is nothing to show. */
  frame?(state: ReactNode): ReactNode;
  children(data: T): ReactNode;
}

/** What is being loaded, or could not be (with the reason and another try), or is there. */
export function LoadState<T>({ query, failed, frame = (state) => state, children }: LoadStateProps<T>) {
  const { data, isError, error, refetch } = query;
  if (data !== undefined) return children(data);
  if (!isError) return frame(<p className="well">Chargement…</p>);
  return frame(
    <div className="well" role="alert">
      <p className="font-semibold">{failed}</p>
      <p>{error.message}</p>
      <button type="button" className="button mt-3" onClick={() => refetch()}>
        Réessayer
      </button>
    </div>,
  );
}
