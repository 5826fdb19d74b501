import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { ReplyOf } from '#platform/shared/call.ts';
import { useSearch } from '#platform/web/history.tsx';
import { useQuestion } from '#platform/web/questions.ts';
import { useTitle } from '#platform/web/site.tsx';
import { Link } from '#platform/web/ui/Link.tsx';
import { ListState } from '#platform/web/ui/LoadState.tsx';
import { PAGED, type Paged, PER_PAGE, pageQuestion, pageTitle, readPageNumber } from './questions.ts';

function addressOf(list: Paged, page: number): string {
  if (list !== 'page') return `/?${list}=${page}`;
  return page === 1 ? '/Evenements' : `/Evenements?page=${page}`;
}

type Listed<L extends Paged> = ReplyOf<(typeof PAGED)[L]['key']>[number];

interface PagedListProps<L extends Paged> {
  list: L;
  failed: string;
  empty: string;
  children(items: readonly Listed<L>[], page: number): ReactNode;
}

/** The page of a list whose number the address gives, with links to those beside it. */
export function PagedList<L extends Paged>({ list, failed, empty, children }: PagedListProps<L>) {
  const { title } = PAGED[list];
  const page = readPageNumber(useSearch().get(list) ?? undefined);
  const query = useQuestion(pageQuestion(list, page)) as UseQueryResult<Listed<L>[]>;
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
              {children(items.slice(0, PER_PAGE), page)}
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
