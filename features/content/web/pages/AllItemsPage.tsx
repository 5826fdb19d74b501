import { useSearch } from '#platform/web/history.tsx';
import { Cards, FeaturedCard, NewsCard } from './Card.tsx';
import { PagedList } from './PagedList.tsx';

/** Pages of all news, or of all that has been À la Une. */
export function AllItemsPage() {
  if (useSearch().has('unes')) {
    return (
      <PagedList
        list="unes"
        failed="Les éléments À la Une n’ont pas pu être chargés."
        empty="Rien à la une pour le moment."
      >
        {(items) => <Cards items={items} Card={FeaturedCard} />}
      </PagedList>
    );
  }
  return (
    <PagedList
      list="actualites"
      failed="Les actualités n’ont pas pu être chargées."
      empty="Pas d’actualité pour le moment."
    >
      {(items) => <Cards items={items} Card={NewsCard} />}
    </PagedList>
  );
}
