import { Link } from 'react-router';
import type { ReplyOf } from '#platform/shared/call.ts';
import { countOf, type ImportTexts, useArrivalFocus } from './useImport.ts';

/** What an import has done, and what may come next. It takes the focus as it comes. */
export function ImportDone({ done, texts }: { done: ReplyOf<'POST /upload'>; texts: ImportTexts }) {
  const { creer, modifier, inchangees } = done;
  const title = useArrivalFocus();
  return (
    <section className="card p-5">
      <h2 ref={title} tabIndex={-1} className="scroll-mt-20 text-xl">
        Import terminé
      </h2>
      <p className="mt-2">
        {countOf(creer, `${texts.noun} créé`)}, {countOf(modifier, 'modifié')},{' '}
        {inchangees.toLocaleString('fr-FR')} déjà à jour.
      </p>
      <ul className="mt-3 flex flex-wrap gap-3">
        {texts.next.map(({ to, label }) => (
          <li key={to}>
            <Link to={to} className="button quiet">
              {label}
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}
