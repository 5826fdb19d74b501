import { useSearch } from '#platform/web/history.tsx';
import { useQuestion } from '#platform/web/questions.ts';
import { useTitle } from '#platform/web/site.tsx';
import { Link } from '#platform/web/ui/Link.tsx';
import { ListState } from '#platform/web/ui/LoadState.tsx';
import { Cards, NewsCard } from './Card.tsx';
import { allNewsQuestion, allNewsTitle, PER_PAGE, readPageNumber } from './questions.ts';

export function AllNewsPage() {
  const search = useSearch();
  const page = readPageNumber(search.get('actualites') ?? '');
  return (
    <div className="page">
      <h1 className="mb-6">Toutes les actualités</h1>
      {page === undefined ? (
        <div className="well">
          <NoSuchPage />
        </div>
      ) : (
        <NewsOf page={page} />
      )}
    </div>
  );
}

function NewsOf({ page }: { page: number }) {
  const query = useQuestion(allNewsQuestion(page));
  useTitle(allNewsTitle(page));
  return (
    <ListState
      query={query}
      failed="Les actualités n’ont pas pu être chargées."
      empty={page === 1 ? 'Pas d’actualité pour le moment.' : <NoSuchPage />}
    >
      {(items) => (
        <>
          <Cards items={items.slice(0, PER_PAGE)} Card={NewsCard} />
          <Pager page={page} hasMore={items.length > PER_PAGE} />
        </>
      )}
    </ListState>
  );
}

function Pager({ page, hasMore }: { page: number; hasMore: boolean }) {
  if (page === 1 && !hasMore) return null;
  return (
    <nav aria-label="Pages d’actualités" className="mt-8 flex flex-wrap justify-between gap-4">
      {page > 1 && (
        <Link to={`/?actualites=${page - 1}`} rel="prev" className="button quiet">
          Actualités plus récentes
        </Link>
      )}
      {hasMore && (
        <Link to={`/?actualites=${page + 1}`} rel="next" className="button quiet ml-auto">
          Actualités plus anciennes
        </Link>
      )}
    </nav>
  );
}

function NoSuchPage() {
  return (
    <>
      <p>Cette page d’actualités n’existe pas.</p>
      <p className="mt-4">
        <Link to="/?actualites=1" className="button quiet">
          Toutes les actualités
        </Link>
      </p>
    </>
  );
}
