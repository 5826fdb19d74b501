import { Link } from 'react-router';
import { useQuestion } from '#platform/web/questions.ts';
import { Carousel } from '#platform/web/ui/Carousel.tsx';
import { ListState } from '#platform/web/ui/LoadState.tsx';
import { Day } from '#platform/web/ui/Time.tsx';
import { excerpt } from '#platform/web/ui/texts.ts';
import { HomeCard } from './HomeCard.tsx';
import { HOME_QUESTIONS } from './questions.ts';

export function FeaturedList() {
  const query = useQuestion(HOME_QUESTIONS.featured, 'Erreur lors de la récupération des éléments À la Une:');
  return (
    <ListState
      query={query}
      failed="Les éléments À la Une n’ont pas pu être chargés."
      empty="Rien à la une pour le moment."
      drawing="campfire"
    >
      {(items) => (
        <Carousel items={items} label="À la Une" perView={1} gap={20}>
          {(item, place) => (
            <HomeCard
              item={item}
              to={`/une-details/${item.id}`}
              sizes="(min-width: 1152px) 424px, (min-width: 1024px) 37vw, calc(100vw - 2rem)"
              {...place}
            >
              <p className="text-sm text-quiet">
                Publié le <Day value={item.date_publication} />
              </p>
              <p className="line-clamp-4 wrap-anywhere">{excerpt(item.resume)}</p>
              <p className="mt-auto pt-2">
                <Link
                  className="button"
                  to={`/une-details/${item.id}`}
                  aria-label={`En savoir plus\u202f: ${item.titre}`}
                >
                  En savoir plus
                </Link>
              </p>
            </HomeCard>
          )}
        </Carousel>
      )}
    </ListState>
  );
}
