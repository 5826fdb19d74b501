import { Link, useSearchParams } from 'react-router';
import type { ReplyOf } from '#platform/shared/call.ts';
import { useQuestion } from '#platform/web/questions.ts';
import { useTitle } from '#platform/web/site.tsx';
import { ListState } from '#platform/web/ui/LoadState.tsx';
import { illustrationOf } from '#platform/web/ui/Picture.tsx';
import { Day } from '#platform/web/ui/Time.tsx';
import { excerpt } from '#platform/web/ui/texts.ts';
import { Card, CardGrid, GRID_SIZES } from './Card.tsx';
import { allNewsQuestion, allNewsTitle, FOLDER, PER_PAGE, readPageNumber } from './questions.ts';

/** All news, in pages. */
export function AllNewsPage() {
  const [search] = useSearchParams();
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
  const query = useQuestion(allNewsQuestion(page), 'Erreur lors de la récupération des actualités:');
  useTitle(allNewsTitle(page));
  return (
    <ListState
      query={query}
      failed="Les actualités n’ont pas pu être chargées."
      empty={page === 1 ? 'Pas d’actualité pour le moment.' : <NoSuchPage />}
    >
      {(items) => (
        <>
          <CardGrid>
            {items.slice(0, PER_PAGE).map((item, index) => (
              <li key={item.id}>
                <NewsCard item={item} isFirst={index === 0} />
              </li>
            ))}
          </CardGrid>
          <Pager page={page} hasMore={items.length > PER_PAGE} />
        </>
      )}
    </ListState>
  );
}

function NewsCard({ item, isFirst }: { item: ReplyOf<'GET /actualites'>[number]; isFirst: boolean }) {
  const { id, titre, description, date_publication, image_url, illustrations } = item;
  const address = `/?actualite=${id}`;
  return (
    <Card
      id={id}
      title={titre}
      illustration={illustrationOf(image_url, illustrations)}
      folder={FOLDER}
      to={address}
      sizes={GRID_SIZES}
      isFirst={isFirst}
    >
      <p className="text-sm text-quiet">
        Publié le <Day value={date_publication} />
      </p>
      <h2 className="card-title">
        <Link to={address}>{titre}</Link>
      </h2>
      <p className="line-clamp-4 wrap-anywhere">{excerpt(description)}</p>
    </Card>
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
