import { Link } from 'react-router';
import { useQuestion } from '../../questions.ts';
import { Carousel } from '../../ui/Carousel.tsx';
import { ListState } from '../../ui/ListState.tsx';
import { excerpt } from '../../ui/texts.ts';
import { Card } from './Card.tsx';
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
        <Carousel items={items} label="Actualités" perView={1} gap={20}>
          {(item, { isNear }) => (
            <Card
              item={item}
              to={`/?actualite=${item.id}`}
              sizes="(min-width: 1152px) 656px, (min-width: 1024px) 57vw, calc(100vw - 2rem)"
              isNear={isNear}
            >
              <p className="line-clamp-4">{excerpt(item.description)}</p>
              <p className="mt-auto pt-2">
                <Link
                  to={`/?actualite=${item.id}`}
                  className="inline-flex min-h-11 items-center font-semibold"
                  aria-label={`Lire la suite\u202f: ${item.titre}`}
                >
                  Lire la suite
                </Link>
              </p>
            </Card>
          )}
        </Carousel>
      )}
    </ListState>
  );
}
