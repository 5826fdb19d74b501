import type { ReactNode } from 'react';
import { StayListState } from '#features/stays/web/StaySelect.tsx';
import { COUNTED_STAYS, type CountedStay, stayLabel } from '#features/stays/web/stays.ts';
import { useQuestion } from '#platform/web/questions.ts';
import { useSite } from '#platform/web/site.tsx';
import { countOf } from '#platform/web/ui/texts.ts';
import type { CodesPreview } from './mailings.tsx';

type PlannedStay = CodesPreview['par_sejour'][number];

interface StayCountsProps {
  stays: readonly PlannedStay[];
  /** Addresses that have the password are left out. */
  isOnlyMissing: boolean;
}

/** Most stays listed openly; more are folded away. */
const GLANCE = 8;

/** Number of messages for each stay; stays with none are always visible, as their addresses may be missing. */
export function StayCounts({ stays, isOnlyMissing }: StayCountsProps) {
  const without = stays.filter(({ nombre }) => nombre === 0);
  const served = stays.filter(({ nombre }) => nombre > 0);
  const counts = (
    <StayLines
      stays={served}
      className="text-quiet"
      saidOf={({ nombre, deja, sans_email }) => {
        const already = deja > 0 ? `, ${isOnlyMissing ? '' : 'dont '}${deja} l’ont déjà` : '';
        return countOf(nombre, 'adresse') + already + withoutText(sans_email);
      }}
    />
  );
  return (
    <div className="flex flex-col gap-4">
      {without.length > 0 && (
        <StayLines
          stays={without}
          className="font-semibold text-coral"
          saidOf={({ deja, sans_email }) =>
            (deja > 0 ? 'toutes ses adresses l’ont déjà' : 'aucune adresse, rien à envoyer') +
            withoutText(sans_email)
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

/** Whom no mail reaches. */
function withoutText(count: number): string {
  return count === 0 ? '' : `, ${countOf(count, 'enfant')} sans e-mail\u202f: par étiquette`;
}

interface StayLinesProps {
  stays: readonly PlannedStay[];
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

/** Gives a panel the stays whose codes open something. The others are counted, so that nobody searches for them. */
export function StaysWithCodes({ children }: { children(stays: CountedStay[]): ReactNode }) {
  const query = useQuestion(COUNTED_STAYS);
  return (
    <StayListState query={query}>
      {(all) => {
        const stays = all.filter((stay) => !stay.photos_finies);
        const over = all.length - stays.length;
        return (
          <>
            {over > 0 && <p className="well mb-6">{overText(over)}</p>}
            {stays.length > 0 && children(stays)}
          </>
        );
      }}
    </StayListState>
  );
}

function overText(count: number): string {
  const subject = countOf(count, 'séjour n’est pas proposé', 'séjours ne sont pas proposés');
  return count === 1
    ? `${subject}\u202f: ses photos ne sont plus en ligne, ses codes n’ouvrent plus rien.`
    : `${subject}\u202f: leurs photos ne sont plus en ligne, leurs codes n’ouvrent plus rien.`;
}
