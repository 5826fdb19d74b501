import type { ReactNode } from 'react';
import { StayListState } from '#features/stays/web/StayListState.tsx';
import { COUNTED_STAYS, type CountedStay, STAYS_FAILED } from '#features/stays/web/stays.ts';
import { useQuestion } from '#platform/web/questions.ts';
import { countOf } from './texts.ts';

/** For a panel: the stays whose codes open something. The others are counted, so that nobody looks for them. */
export function StaysWithCodes({ children }: { children(stays: CountedStay[]): ReactNode }) {
  const query = useQuestion(COUNTED_STAYS, STAYS_FAILED);
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
