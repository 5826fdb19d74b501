import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useSearch } from '#platform/web/history.tsx';
import { useTitle } from '#platform/web/site.tsx';
import { Link } from '#platform/web/ui/Link.tsx';
import { ListState } from '#platform/web/ui/LoadState.tsx';
import { PAGED, type Paged, PER_PAGE, pageTitle, readPageNumber } from './questions.ts';

/** The number that the address gives of a page of a list; undefined where that is none. */
export function usePageNumber(list: Paged): number | undefined {
  return readPageNumber(useSearch().get(list) ?? undefined);
}

function addressOf(list: Paged, page: number): string {
  if (list !== 'page') return `/?${list}=${page}`;
  return page === 1 ? '/Evenements' : `/Evenements?page=${page}`;
}

interface PagedListProps<T> {
  list: Paged;
  page: number | undefined;
  query: UseQueryResult<T[]>;
  failed: string;
  empty: string;
  children(items: readonly T[]): ReactNode;
}

/** One page of a list, with links to those beside it. */
export function PagedList<T>({ list, page, query, failed, empty, children }: PagedListProps<T>) {
  const { title } = PAGED[list];
  useTitle(pageTitle(list, page));
  const absent = (
    <>
      <p>Cette page n’existe pas.</p>
      <p className="mt-4">
        <Link to={addressOf(list, 1)} className="button quiet">
          {title}
        </Link>
      </p>
    </>
  );
  return (
    <div className="page">
      <h1 className="mb-6">{title}</h1>
      {page === undefined ? (
        <div className="well">{absent}</div>
      ) : (
        <ListState query={query} failed={failed} empty={page === 1 ? empty : absent} drawing="campfire">
          {(items) => (
            <>
              {children(items.slice(0, PER_PAGE))}
              <nav aria-label="Pages" className="mt-8 flex flex-wrap justify-between gap-4 empty:hidden">
                {page > 1 && (
                  <Link to={addressOf(list, page - 1)} rel="prev" className="button quiet">
                    Page précédente
                  </Link>
                )}
                {items.length > PER_PAGE && (
                  <Link to={addressOf(list, page + 1)} rel="next" className="button quiet ml-auto">
                    Page suivante
                  </Link>
                )}
              </nav>
            </>
          )}
        </ListState>
      )}
    </div>
  );
}
