import { Circle, CircleCheck } from 'lucide-react';
import { LEGAL_NOTICE } from '#features/site/shared/identity.ts';
import type { ReplyOf } from '#platform/shared/call.ts';
import { panelAddress } from '#platform/web/portal.ts';
import { useQuestion } from '#platform/web/questions.ts';
import { Link } from '#platform/web/ui/Link.tsx';

export interface Step {
  isDone: boolean;
  label: string;
  to: string;
}

type Dashboard = ReplyOf<'GET /tableau-de-bord'>;

/** The steps without which visitors find nothing; the portal knows more of them. */
export function firstSteps({ identite_manquante, demarrage }: Dashboard) {
  return {
    name: step(
      !LEGAL_NOTICE.some((name) => identite_manquante.includes(name)),
      'Donner le nom et l’identité de votre organisation',
      'reglages',
    ),
    news: step(demarrage.actualite, 'Publier une première actualité', 'actualite-creer'),
    stays: step(demarrage.sejours, 'Importer vos premiers séjours', 'sejours-importer'),
  };
}

/** `panel`: where it is done. */
export const step = (isDone: boolean, label: string, panel: string): Step => ({
  isDone,
  label,
  to: panelAddress(panel),
});

/** What is left to do; what is done is folded away under its count. */
export function StepList({ steps }: { steps: readonly Step[] }) {
  const done = steps.filter(({ isDone }) => isDone);
  return (
    <>
      <ol className={STEPS}>
        {steps
          .filter(({ isDone }) => !isDone)
          .map(({ label, to }) => (
            <li key={label} className={STEP}>
              <Circle className="size-6 shrink-0 text-quiet" />
              <Link to={to} className="inline-flex min-h-11 items-center">
                {label}
              </Link>
            </li>
          ))}
      </ol>
      {done.length > 0 && (
        <details>
          <summary className="flex min-h-11 items-center gap-3 text-quiet">
            <CircleCheck className="size-6 shrink-0 text-moss" />
            {done.length === 1 ? 'Une étape faite' : `${done.length} étapes faites`} sur {steps.length}
          </summary>
          <ul className={STEPS}>
            {done.map(({ label }) => (
              <li key={label} className={STEP}>
                <CircleCheck className="size-6 shrink-0 text-moss" />
                <span className="text-quiet">{label}</span>
              </li>
            ))}
          </ul>
        </details>
      )}
    </>
  );
}

const STEPS = 'grid grid-cols-[repeat(auto-fit,minmax(min(100%,20rem),1fr))] gap-x-8';
const STEP = 'flex min-h-11 items-center gap-3';

/** What staff read above the home page of a new site, until it has a name and something to read. */
export function FirstSteps() {
  const { data } = useQuestion({ key: 'GET /tableau-de-bord' });
  const steps = data && firstSteps(data);
  // Not every works council has stays.
  if (!steps || (steps.name.isDone && steps.news.isDone)) return null;
  return (
    <section
      aria-labelledby="premiers-pas"
      className="card mx-auto my-4 w-[calc(100%-2rem)] max-w-[70rem] p-5 sm:p-6"
    >
      <h2 id="premiers-pas" className="text-xl">
        Premiers pas
      </h2>
      <p className="mt-1 mb-3 text-quiet">Seule l’équipe du portail voit ce cadre.</p>
      <StepList steps={Object.values(steps)} />
      <p className="mt-3 border-t border-mist pt-3">
        Pour voir tout de suite un site rempli,{' '}
        <Link to="/portail" className="inline-flex min-h-11 items-center">
          ajoutez le contenu d’exemple
        </Link>
        .
      </p>
    </section>
  );
}
