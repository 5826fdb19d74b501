import { Circle, CircleCheck } from 'lucide-react';
import { Link } from 'react-router';
import type { ContentKind } from '#features/content/shared/kind.ts';
import { events, genreOf, news } from '#features/content/shared/kinds.ts';
import type { ReplyOf } from '#platform/shared/call.ts';
import { panelAddress } from '#platform/web/portal.ts';
import { ExampleContent, useExample } from './ExampleContent.tsx';

/** The first steps of a new site, and the example that shows what they lead to; gone once both are over. */
export function GettingStarted({ dashboard }: { dashboard: ReplyOf<'GET /tableau-de-bord'> }) {
  const { identite_manquante, contenus, sejours } = dashboard;
  const hasOne = (kind: ContentKind) =>
    contenus.some(
      ({ genre, en_ligne, a_venir, termines }) =>
        genre === genreOf(kind) && en_ligne + a_venir + termines > 0,
    );
  const steps = [
    {
      isDone: !identite_manquante.includes('organisation_nom'),
      label: 'Donner le nom et l’identité de votre organisation',
      to: panelAddress('reglages'),
    },
    {
      isDone: hasOne(news),
      label: 'Publier une première actualité',
      to: panelAddress('actualite-creer'),
    },
    {
      isDone: hasOne(events),
      label: 'Annoncer un premier événement',
      to: panelAddress('evenement-creer'),
    },
    {
      isDone: sejours.en_cours + sejours.a_venir + sejours.passes > 0,
      label: 'Importer vos premiers séjours',
      to: panelAddress('sejours-importer'),
    },
  ];
  const example = useExample();
  const isOver = example.data?.etat === 'absent' || (!example.data && !example.isError);
  if (isOver && steps.every(({ isDone }) => isDone)) return null;
  return (
    <section className="card p-5 sm:p-6">
      <h2 className="mb-4 text-xl">Bien démarrer</h2>
      <ol className="flex flex-col">
        {steps.map(({ isDone, label, to }) => (
          <li key={to} className="flex min-h-12 items-center gap-3">
            {isDone ? (
              <CircleCheck aria-hidden="true" className="size-6 shrink-0 text-moss" />
            ) : (
              <Circle aria-hidden="true" className="size-6 shrink-0 text-quiet" />
            )}
            {isDone ? (
              <span className="text-quiet">
                {label}
                <span className="sr-only"> (fait)</span>
              </span>
            ) : (
              <Link to={to} className="inline-flex min-h-11 items-center">
                {label}
              </Link>
            )}
          </li>
        ))}
      </ol>
      <div className="mt-4 border-t border-mist pt-4">
        <ExampleContent query={example} />
      </div>
    </section>
  );
}
