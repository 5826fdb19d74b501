import { FileText } from 'lucide-react';
import { addressOfFolder } from '#features/content/shared/kind.ts';
import { useQuestion } from '#platform/web/questions.ts';
import { LoadState } from '#platform/web/ui/LoadState.tsx';
import { Part } from './Part.tsx';
import { bookletsQuestion, type Viewer } from './questions.ts';

/** The PDF files for families and directors, each in a tab of its own. */
export function Booklets({ as }: { as: Viewer }) {
  const query = useQuestion(bookletsQuestion(as), 'Erreur lors de la récupération des livrets:');
  return (
    <Part id="livrets" title="Livrets">
      <LoadState query={query} failed="Les livrets n’ont pas pu être chargés.">
        {(names) =>
          names.length > 0 ? (
            <ul className="-my-2 divide-y divide-mist">
              {names.map((name) => (
                <li key={name}>
                  <a
                    href={`${addressOfFolder('doc_stage_formateur')}${encodeURIComponent(name)}`}
                    target="_blank"
                    rel="noopener"
                    className="flex min-h-12 items-center gap-3 py-2 wrap-anywhere"
                  >
                    <FileText aria-hidden="true" className="size-5 shrink-0" />
                    <span className="min-w-0">
                      {name.replace(/\.pdf$/i, '')}
                      <span className="sr-only"> (PDF, nouvel onglet)</span>
                    </span>
                  </a>
                </li>
              ))}
            </ul>
          ) : (
            <p className="text-quiet">Aucun livret pour le moment.</p>
          )
        }
      </LoadState>
    </Part>
  );
}
