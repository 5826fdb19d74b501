import { useSearchParams } from 'react-router';
import { useQuestion } from '#platform/web/questions.ts';
import { StayList } from './StayList.tsx';
import { NewStay, StayToChange } from './StayPages.tsx';
import { NewStayLink, StayListState } from './StaySelect.tsx';
import { COUNTED_STAYS, STAYS_FAILED } from './stays.ts';

/** The stays, or the form of the one that the address names. */
export function StaysPanel() {
  const [search] = useSearchParams();
  const asked = search.get('sejour');
  if (asked === null) return <AllStays />;
  return asked === 'nouveau' ? <NewStay /> : <StayToChange id={asked} />;
}

function AllStays() {
  const query = useQuestion(COUNTED_STAYS, STAYS_FAILED);
  return (
    <>
      <div className="mb-6 flex flex-wrap items-center justify-between gap-4">
        <h1>Séjours</h1>
        {query.data && query.data.length > 0 && <NewStayLink />}
      </div>
      <StayListState query={query}>{(stays) => <StayList stays={stays} />}</StayListState>
    </>
  );
}
