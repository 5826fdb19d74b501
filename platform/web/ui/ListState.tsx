import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Drawing } from './Drawing.tsx';
import { LoadState } from './LoadState.tsx';

export type EmptyDrawing = 'notebook' | 'campfire' | 'clothesline';

interface ListStateProps<T> {
  query: UseQueryResult<T[]>;
  /** Said when the list cannot be loaded. */
  failed: string;
  /** Said when there is nothing in it, beside a drawing. */
  empty: ReactNode;
  drawing?: EmptyDrawing;
  children(items: T[]): ReactNode;
}

/** A list that says where it stands: on its way, not loaded (with another try), empty, or there. */
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
