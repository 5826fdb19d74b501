import { Eye } from 'lucide-react';
import { useEffect } from 'react';
import { Link } from 'react-router';
import { DecisionsProvider } from '#features/photos/web/checking/decisions.tsx';
import { PracticalInfo } from '#features/stays/web/stay/PracticalInfo.tsx';
import { STILL_OPEN, stayQuestion } from '#features/stays/web/stay/questions.ts';
import { Review } from '#features/stays/web/stay/Review.tsx';
import {
  OtherStay,
  StayHeader,
  StayMain,
  StaySwitcher,
  ToDoor,
  useEndOfVisit,
} from '#features/stays/web/stay/StayFrame.tsx';
import { Booklets, Children, Directors } from '#features/stays/web/stay/StayPeople.tsx';
import type { ReplyOf } from '#platform/shared/call.ts';
import { sweepDrafts } from '#platform/web/drafts.ts';
import { useQuestion } from '#platform/web/questions.ts';
import { type StaySession, useStaySession, useStays } from '#platform/web/session.ts';
import { useTitle } from '#platform/web/site.tsx';
import { useLeaveGuard } from '#platform/web/useLeaveGuard.ts';
import { DayWords } from './DayWords.tsx';
import { PhotosToday } from './PhotosToday.tsx';
import { SendingTray } from './SendingTray.tsx';
import { StayFooter } from './StayFooter.tsx';

/** Where a director keeps a stay, made for a phone held in one hand. */
export function DirectorPage() {
  const current = useStaySession();
  const directed = useStays().filter(({ role }) => role === 'formateur');
  if (current?.role === 'formateur') return <Visit key={current.token} session={current} />;
  return directed.length > 0 ? <OtherStay stays={directed} /> : <ToDoor />;
}

function Visit({ session }: { session: StaySession }) {
  const query = useQuestion(
    stayQuestion(session.stageId, 'stay'),
    'Erreur lors de la récupération du séjour:',
    STILL_OPEN,
  );
  const { data: stay, error } = query;
  useEndOfVisit(session, error);
  useLeaveGuard();
  useTitle(stay?.nom_stage);
  useEffect(() => sweepDrafts(new Date()), []);
  return <StayMain query={query}>{(found) => <DirectedStay stay={found} session={session} />}</StayMain>;
}

const PLACES = [
  { id: 'photos', label: 'Photos' },
  { id: 'envoyer', label: 'Envoyer' },
  { id: 'mots', label: 'Mot du jour' },
  { id: 'enfants', label: 'Enfants' },
  { id: 'infos', label: 'Infos pratiques' },
  { id: 'livrets', label: 'Livrets' },
  { id: 'bilan', label: 'Bilan' },
];

interface DirectedStayProps {
  stay: ReplyOf<'GET /stages/:id'>;
  session: StaySession;
}

function DirectedStay({ stay, session }: DirectedStayProps) {
  return (
    <>
      <StayHeader stay={stay} drawing="mountain" above="Espace des directeurs">
        <div className="flex flex-wrap gap-3">
          <Link to={`/stage-details/${stay.id}`} className="button quiet">
            <Eye aria-hidden="true" className="size-5" />
            Voir comme une famille
          </Link>
          <StaySwitcher />
        </div>
      </StayHeader>
      <div className="page flex max-w-5xl flex-col gap-6 pt-6">
        <nav aria-label="Sur cette page">
          <ul className="-mx-4 flex gap-2 overflow-x-auto px-4 py-1 sm:flex-wrap">
            {PLACES.map(({ id, label }) => (
              <li key={id} className="shrink-0">
                <a href={`#${id}`} className="button quiet">
                  {label}
                </a>
              </li>
            ))}
          </ul>
        </nav>
        <DecisionsProvider stageId={stay.id} as="stay">
          <PhotosToday session={session} />
        </DecisionsProvider>
        <SendingTray session={session} />
        <DayWords stay={stay} session={session} />
        <div className="grid items-start gap-6 lg:grid-cols-[3fr_2fr]">
          <Children stageId={stay.id} />
          <div className="flex flex-col gap-6">
            <PracticalInfo stay={stay} />
            <Directors stageId={stay.id} />
            <Booklets as="stay" />
          </div>
        </div>
        <Review session={session} />
        <StayFooter session={session} />
      </div>
    </>
  );
}
