import { useId, useRef } from 'react';
import { useQuestion } from '#platform/web/questions.ts';
import { ListState } from '#platform/web/ui/LoadState.tsx';
import { BookletItem } from './BookletItem.tsx';
import { BOOKLETS } from './questions.ts';
import { SendBooklet } from './SendBooklet.tsx';

/** The PDF files that families and directors of any stay open from their page. */
export function BookletsPanel() {
  const query = useQuestion(BOOKLETS, 'Erreur lors de la récupération des livrets:');
  const title = useRef<HTMLHeadingElement>(null);
  const id = useId();
  return (
    <div className="max-w-3xl">
      <h1 ref={title} tabIndex={-1}>
        Livrets
      </h1>
      <p className="mt-3 mb-6 text-quiet">
        Les familles et les directeurs de tous les séjours ouvrent ces fichiers depuis leur page. Le nom du
        fichier est celui qu’ils lisent.
      </p>
      <SendBooklet names={query.data ?? []} />
      <section aria-labelledby={id} className="mt-12 border-t border-mist pt-8">
        <h2 id={id} className="mb-4">
          Livrets en ligne
        </h2>
        <ListState
          query={query}
          failed="Les livrets n’ont pas pu être chargés."
          empty="Il n’y a pas encore de livret."
        >
          {(names) => (
            <ul className="border-t border-mist">
              {names.map((name) => (
                <BookletItem
                  key={name}
                  name={name}
                  onGone={() => title.current?.focus({ preventScroll: true })}
                />
              ))}
            </ul>
          )}
        </ListState>
      </section>
    </div>
  );
}
