import { stayLabel } from '#features/stays/web/stays.ts';
import { useSite } from '#platform/web/site.tsx';
import type { CodesPreview } from './questions.ts';
import { countOf } from './texts.ts';

type PlannedStay = CodesPreview['par_sejour'][number];

interface StayCountsProps {
  stays: readonly PlannedStay[];
  /** Whoever has the password is left out. */
  isOnlyMissing: boolean;
}

/** As many stays as are looked through at a glance. */
const GLANCE = 8;

/** How many messages each stay gets; those that get none always in sight, as something may be missing there. */
export function StayCounts({ stays, isOnlyMissing }: StayCountsProps) {
  const without = stays.filter(({ nombre }) => nombre === 0);
  const served = stays.filter(({ nombre }) => nombre > 0);
  const counts = (
    <StayLines
      stays={served}
      className="text-quiet"
      saidOf={({ nombre, deja }) => {
        const already = deja > 0 ? `, ${isOnlyMissing ? '' : 'dont '}${deja} l’ont déjà` : '';
        return countOf(nombre, 'adresse') + already;
      }}
    />
  );
  return (
    <div className="flex flex-col gap-4">
      {without.length > 0 && (
        <StayLines
          stays={without}
          className="font-semibold text-coral"
          saidOf={({ deja }) =>
            deja > 0 ? 'toutes ses adresses l’ont déjà' : 'aucune adresse, rien à envoyer'
          }
        />
      )}
      {served.length > GLANCE ? (
        <details>
          <summary className="min-h-11 content-center font-semibold">
            {countOf(served.length, 'séjour')}, et leurs nombres d’adresses
          </summary>
          {counts}
        </details>
      ) : (
        served.length > 0 && counts
      )}
    </div>
  );
}

interface StayLinesProps {
  stays: readonly PlannedStay[];
  /** Of what is said of each. */
  className: string;
  saidOf(stay: PlannedStay): string;
}

function StayLines({ stays, className, saidOf }: StayLinesProps) {
  const { locale } = useSite();
  return (
    <ul className="border-t border-mist">
      {stays.map((stay) => (
        <li
          key={stay.id}
          className="flex flex-wrap items-baseline justify-between gap-x-4 border-b border-mist py-2.5 wrap-anywhere"
        >
          <span>{stayLabel(stay, locale)}</span>
          <span className={className}>{saidOf(stay)}</span>
        </li>
      ))}
    </ul>
  );
}
