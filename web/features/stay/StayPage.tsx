import { useEffect } from 'react';
import { useParams } from 'react-router';
import type { ReplyOf } from '../../../shared/api.ts';
import { CallError } from '../../api.ts';
import { sweepKeepsakes } from '../../keepsakes.ts';
import { useEarlyPhotos } from '../../photos/useStayPhotos.ts';
import { useThing } from '../../questions.ts';
import { type StaySession, useIsSignedIn, useStaySession, useStays } from '../../session.ts';
import { useTitle } from '../../useTitle.ts';
import { Booklets } from './Booklets.tsx';
import { OtherStay } from './OtherStay.tsx';
import { Photos } from './Photos.tsx';
import { PracticalInfo } from './PracticalInfo.tsx';
import { Questionnaire } from './Questionnaire.tsx';
import { STILL_OPEN, stayQuestion } from './questions.ts';
import { StayFooter } from './StayFooter.tsx';
import { StayHeader } from './StayHeader.tsx';
import { StayMain } from './StayMain.tsx';
import { StaySwitcher } from './StaySwitcher.tsx';
import { ToDoor } from './ToDoor.tsx';
import { useEndOfVisit } from './useEndOfVisit.ts';
import { ViewBanner } from './ViewBanner.tsx';

/** What a family sees of its stay; those who direct it, and staff, see it likewise. */
export function StayPage() {
  const { id = '' } = useParams();
  const current = useStaySession();
  const held = useStays();
  const isStaff = useIsSignedIn('portal');
  if (!/^[1-9]\d{0,14}$/.test(id)) return <ToDoor />;
  const stageId = Number(id);
  if (current?.stageId === stageId) return <Visit key={current.token} stageId={stageId} session={current} />;
  const other = held.find((stay) => stay.stageId === stageId);
  if (other) return <OtherStay stays={[other]} />;
  return isStaff ? <Visit key={id} stageId={stageId} /> : <ToDoor stageId={stageId} />;
}

interface VisitProps {
  stageId: number;
  /** None: staff look. */
  session?: StaySession;
}

function Visit({ stageId, session }: VisitProps) {
  useEarlyPhotos(stageId, session);
  const query = useThing(
    stayQuestion(stageId, session ? 'stay' : 'portal'),
    'Erreur lors de la récupération du séjour:',
    STILL_OPEN,
  );
  const { data: stay, error } = query;
  useEndOfVisit(session, error);
  useTitle(stay?.nom_stage);
  useEffect(() => sweepKeepsakes(new Date()), []);
  if (!session && error instanceof CallError && error.status === 401) return <ToDoor stageId={stageId} />;
  return (
    <StayMain query={query}>
      {(found) =>
        found ? (
          <Stay stay={found} session={session} />
        ) : (
          <div className="page">
            <h1 className="well text-xl">Ce séjour n’existe pas ou n’existe plus.</h1>
          </div>
        )
      }
    </StayMain>
  );
}

/** What stands after the photos, of which there may be thousands. */
const PLACES = [
  { id: 'infos', label: 'Informations pratiques' },
  { id: 'livrets', label: 'Livrets' },
  { id: 'questionnaire', label: 'Votre avis' },
];

interface StayProps {
  stay: ReplyOf<'GET /stages/:id'>;
  session: StaySession | undefined;
}

function Stay({ stay, session }: StayProps) {
  return (
    <>
      <ViewBanner stageId={stay.id} role={session?.role} />
      <StayHeader stay={stay} drawing="lake" above="Votre séjour">
        <StaySwitcher />
      </StayHeader>
      <nav aria-label="Sur cette page" className="mx-auto w-full max-w-5xl px-4 sm:pt-2">
        <ul className="flex flex-wrap gap-x-4 sm:gap-x-5">
          {PLACES.map(({ id, label }) => (
            <li key={id}>
              <a href={`#${id}`} className="inline-flex min-h-11 items-center">
                {label}
              </a>
            </li>
          ))}
        </ul>
      </nav>
      <div className="pb-4 sm:pt-1">
        <Photos stay={stay} session={session} />
      </div>
      <div className="page flex max-w-5xl flex-col gap-6 pt-6">
        <div className="grid items-start gap-6 lg:grid-cols-[3fr_2fr]">
          <PracticalInfo stay={stay} />
          <Booklets as={session ? 'stay' : 'portal'} />
        </div>
        <Questionnaire stay={stay} session={session} />
        <StayFooter session={session} />
      </div>
    </>
  );
}
