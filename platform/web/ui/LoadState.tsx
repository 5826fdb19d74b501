import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Button } from './Button.tsx';
import { Drawing } from './Drawing.tsx';

interface LoadStateProps<T> {
  query: UseQueryResult<T>;
  failed: string;
  /** Wraps the message that is shown until there is data. */
  frame?(state: ReactNode): ReactNode;
  children(data: T): ReactNode;
}

/** Shows loaded data, or that it is loading, or that loading failed (with the reason and a retry button). */
export function LoadState<T>({ query, failed, frame = (state) => state, children }: LoadStateProps<T>) {
  const { data, isError, error, refetch } = query;
  if (data !== undefined) return children(data);
  if (!isError) return frame(<p className="well">Chargement…</p>);
  return frame(
    <div className="well" role="alert" aria-live="assertive">
      <p className="font-semibold">{failed}</p>
      <p>{error.message}</p>
      <Button className="mt-3" onClick={() => refetch()}>
        Réessayer
      </Button>
    </div>,
  );
}

export type EmptyDrawing = 'notebook' | 'campfire' | 'clothesline';

interface ListStateProps<T> {
  query: UseQueryResult<T[]>;
  failed: string;
  /** Message shown beside a drawing when the list is empty. */
  empty: ReactNode;
  drawing?: EmptyDrawing;
  children(items: T[]): ReactNode;
}

/** Like `LoadState` for a list, with a message when it is empty. */
export function ListState<T>({ query, failed, empty, drawing = 'notebook', children }: ListStateProps<T>) {
  return (
    <LoadState query={query} failed={failed}>
      {(items) =>
        items.length > 0 ? (
          children(items)
        ) : (
          <div className="well flex flex-wrap items-center gap-x-6 gap-y-2">
            <Drawing name={drawing} className="h-28 w-40" />
            <div className="flex-1 basis-40">{empty}</div>
          </div>
        )
      }
    </LoadState>
  );
}
