import { useSearch } from '#platform/web/history.tsx';
import { useQuestion } from '#platform/web/questions.ts';
import { Cards, FeaturedCard, NewsCard } from './Card.tsx';
import { PagedList, usePageNumber } from './PagedList.tsx';
import { pageQuestion } from './questions.ts';

/** Pages of all news, or of all that has been À la Une. */
export function AllItemsPage() {
  return useSearch().has('unes') ? <AllFeatured /> : <AllNews />;
}

function AllNews() {
  const page = usePageNumber('actualites');
  const query = useQuestion(pageQuestion('actualites', page));
  return (
    <PagedList
      list="actualites"
      page={page}
      query={query}
      failed="Les actualités n’ont pas pu être chargées."
      empty="Pas d’actualité pour le moment."
    >
      {(items) => <Cards items={items} Card={NewsCard} />}
    </PagedList>
  );
}

function AllFeatured() {
  const page = usePageNumber('unes');
  const query = useQuestion(pageQuestion('unes', page));
  return (
    <PagedList
      list="unes"
      page={page}
      query={query}
      failed="Les éléments À la Une n’ont pas pu être chargés."
      empty="Rien à la une pour le moment."
    >
      {(items) => <Cards items={items} Card={FeaturedCard} />}
    </PagedList>
  );
}
