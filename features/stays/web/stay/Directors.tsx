import { CATEGORIES, type Category } from '#features/stays/shared/terms.ts';
import { useQuestion } from '#platform/web/questions.ts';
import { LoadState } from '#platform/web/ui/LoadState.tsx';
import { Part } from './Part.tsx';
import { directorsQuestion } from './questions.ts';

/** Who directs a stay. */
export function Directors({ stageId }: { stageId: number }) {
  const query = useQuestion(directorsQuestion(stageId), 'Erreur lors de la récupération des directeurs:');
  return (
    <Part id="direction" title="La direction">
      <LoadState query={query} failed="La liste des directeurs n’a pas pu être chargée.">
        {(list) =>
          list.length > 0 ? (
            <ul className="flex flex-col gap-1">
              {list.map(({ id, prenom, nom, cat }) => (
                <li key={id} className="wrap-anywhere">
                  {prenom} {nom} <span className="text-quiet">— {CATEGORIES[cat as Category]}</span>
                </li>
              ))}
            </ul>
          ) : (
            <p className="text-quiet">Le CSE n’a encore nommé personne.</p>
          )
        }
      </LoadState>
    </Part>
  );
}
