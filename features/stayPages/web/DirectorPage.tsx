import { Eye } from 'lucide-react';
import { useEffect, useState, useSyncExternalStore } from 'react';
import { useLocation } from 'react-router';
import { CheckingScreen } from '#features/checking/web/CheckingScreen.tsx';
import { DecisionsProvider } from '#features/checking/web/decisions.tsx';
import { useTracking } from '#features/photos/web/useStayPhotos.ts';
import { UploadPanel as Tray } from '#features/sending/web/UploadPanel.tsx';
import { hasArrivals, onQueuesChanged } from '#features/sending/web/UploadQueue.ts';
import type { FilterName } from '#features/shelf/web/filters.tsx';
import { PhotoAlbum } from '#features/shelf/web/PhotoShelf.tsx';
import { type StaySession, useStaySession, useStays } from '#features/stays/web/sessions.ts';
import { Review } from '#features/stays/web/stay/Review.tsx';
import {
  OtherStay,
  Part,
  StayHeader,
  StayMain,
  StaySwitcher,
  ToSignIn,
  useEndOfVisit,
} from '#features/stays/web/stay/StayFrame.tsx';
import { Booklets, Children, Directors, PracticalInfo } from '#features/stays/web/stay/StayParts.tsx';
import { STILL_OPEN, stayQuestion } from '#features/stays/web/stays.ts';
import type { ReplyOf } from '#platform/shared/call.ts';
import { sweepDrafts } from '#platform/web/drafts.ts';
import { useLeaveGuard } from '#platform/web/history.tsx';
import { useQuestion } from '#platform/web/questions.ts';
import { useTitle } from '#platform/web/site.tsx';
import { Link } from '#platform/web/ui/Link.tsx';
import { LoadState } from '#platform/web/ui/LoadState.tsx';
import { DayWords } from './DayWords.tsx';
import { NextStep, Today } from './PhotosToday.tsx';
import { StayFooter } from './StayFooter.tsx';

/** The page on which a director manages a stay, designed for a phone held in one hand. */
export function DirectorPage() {
  const current = useStaySession();
  const directed = useStays().filter(({ role }) => role === 'formateur');
  if (current?.role === 'formateur') return <Visit key={current.token} session={current} />;
  return directed.length > 0 ? <OtherStay stays={directed} /> : <ToSignIn />;
}

function Visit({ session }: { session: StaySession }) {
  const query = useQuestion(stayQuestion(session.stageId, 'stay'), STILL_OPEN);
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
            <Eye className="size-5" />
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
          <PhotosAndTray stay={stay} session={session} />
        </DecisionsProvider>
        <DayWords stay={stay} session={session} />
        <div className="grid items-start gap-6 lg:grid-cols-[3fr_2fr]">
          <Children stageId={stay.id} />
          <div className="flex flex-col gap-6">
            <PracticalInfo stay={stay} />
            <Directors stageId={stay.id} />
            <Booklets stageId={stay.id} as="stay" />
          </div>
        </div>
        <Review session={session} />
        <StayFooter session={session} />
      </div>
    </>
  );
}

function PhotosAndTray({ stay, session }: DirectedStayProps) {
  const { photos, tracking } = useTracking(session.stageId, 'stay');
  const [isChecking, setChecking] = useState(false);
  const onCheck = () => setChecking(true);
  const [album, setAlbum] = useState<FilterName>();
  const endVisit = useEndOfVisit(session);
  const isOfferedBelow = useSyncExternalStore(
    onQueuesChanged,
    () => hasArrivals(session.stageId, 'stay'),
    () => false,
  );
  useArrivalAt('envoyer');
  return (
    <>
      <Part id="photos" title="Les photos du séjour">
        <LoadState query={tracking} failed="L’état des photos n’a pas pu être chargé.">
          {(found) => (
            <Today
              stay={stay}
              tracking={found}
              photos={photos.data?.photos ?? []}
              isOfferedBelow={isOfferedBelow}
              onCheck={onCheck}
              onAlbum={setAlbum}
            />
          )}
        </LoadState>
      </Part>
      <Part id="envoyer" title="Envoyer des photos">
        <Tray stageId={session.stageId} as="stay" onRefused={endVisit}>
          {(tally) =>
            tracking.data && (
              <NextStep
                stay={stay}
                tally={tally}
                tracking={tracking.data}
                isChecking={isChecking}
                onCheck={onCheck}
              />
            )
          }
        </Tray>
      </Part>
      {isChecking && <CheckingScreen onClose={() => setChecking(false)} />}
      {album && tracking.data && (
        <PhotoAlbum
          photos={photos.data?.photos ?? []}
          stay={stay}
          tracking={tracking.data}
          first={album}
          onClose={() => setAlbum(undefined)}
        />
      )}
    </>
  );
}

/** Goes to a section that a link from another page leads to, once it is there. */
function useArrivalAt(id: string): void {
  const { hash, key } = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: at each press of such a link
  useEffect(() => {
    if (hash !== `#${id}`) return;
    const place = document.getElementById(id);
    place?.scrollIntoView();
    place?.focus({ preventScroll: true });
  }, [hash, key, id]);
}
