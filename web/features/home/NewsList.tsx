import { useQuestion } from '../../questions.ts';
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
        <ul className="grid gap-5 sm:grid-cols-2">
          {items.map((item) => (
            <li key={item.id} className="flex">
              <Card item={item} sizes="(min-width: 1024px) 340px, (min-width: 640px) 50vw, 100vw">
                <p className="line-clamp-3">{excerpt(item.description)}</p>
              </Card>
            </li>
          ))}
        </ul>
      )}
    </ListState>
  );
}
