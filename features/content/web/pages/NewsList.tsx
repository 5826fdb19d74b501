import { Link } from 'react-router';
import { useQuestion } from '#platform/web/questions.ts';
import { Carousel } from '#platform/web/ui/Carousel.tsx';
import { ListState } from '#platform/web/ui/LoadState.tsx';
import { excerpt } from '#platform/web/ui/texts.ts';
import { HomeCard } from './HomeCard.tsx';
import { HOME_QUESTIONS } from './questions.ts';

export function NewsList() {
  const query = useQuestion(HOME_QUESTIONS.news, 'Erreur lors de la récupération des actualités:');
  return (
    <ListState
      query={query}
      failed="Les actualités n’ont pas pu être chargées."
      empty="Pas d’actualité pour le moment."
    >
      {(items) => (
        <>
          <Carousel items={items} label="Actualités" perView={1} gap={20}>
            {(item, { isNear }) => (
              <HomeCard
                item={item}
                to={`/?actualite=${item.id}`}
                sizes="(min-width: 1152px) 656px, (min-width: 1024px) 57vw, calc(100vw - 2rem)"
                isNear={isNear}
              >
                <p className="line-clamp-4 wrap-anywhere">{excerpt(item.description)}</p>
                <p className="mt-auto pt-2">
                  <Link
                    to={`/?actualite=${item.id}`}
                    className="inline-flex min-h-11 items-center font-semibold"
                    aria-label={`Lire la suite\u202f: ${item.titre}`}
                  >
                    Lire la suite
                  </Link>
                </p>
              </HomeCard>
            )}
          </Carousel>
          <p className="mt-2 text-center">
            <Link to="/?actualites=1" className="inline-flex min-h-11 items-center font-semibold">
              Toutes les actualités
            </Link>
          </p>
        </>
      )}
    </ListState>
  );
}
