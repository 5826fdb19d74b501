import { useQuestion } from '../../questions.ts';
import { useSite } from '../../site.tsx';
import { ListState } from '../../ui/ListState.tsx';
import { dayOf, excerpt } from '../../ui/texts.ts';
import { Card } from './Card.tsx';
import { HOME_QUESTIONS } from './questions.ts';

export function FeaturedList() {
  const { locale, timeZone } = useSite();
  const query = useQuestion(HOME_QUESTIONS.featured, 'Erreur lors de la récupération des éléments À la Une:');
  return (
    <ListState
      query={query}
      failed="Les éléments À la Une n’ont pas pu être chargés."
      empty="Rien à la une pour le moment."
    >
      {(items) => (
        <ul className="grid gap-5 sm:grid-cols-2 lg:grid-cols-1">
          {items.map((item, index) => (
            <li key={item.id} className="flex">
              <Card
                item={item}
                sizes="(min-width: 1024px) 440px, (min-width: 640px) 50vw, 100vw"
                isFirst={index === 0}
              >
                <p className="text-sm">Publié le {dayOf(item.date_publication, locale, timeZone)}</p>
                <p className="line-clamp-3">{excerpt(item.resume)}</p>
                <p className="mt-auto pt-2">
                  <a
                    className="button"
                    href={`/une-details/${item.id}`}
                    aria-label={`En savoir plus : ${item.titre}`}
                  >
                    En savoir plus
                  </a>
                </p>
              </Card>
            </li>
          ))}
        </ul>
      )}
    </ListState>
  );
}
