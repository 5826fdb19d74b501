import { CircleX, Eye, ImageDown, Images, ListChecks, Trash2 } from 'lucide-react';
import { useEffect, useState, useSyncExternalStore } from 'react';
import { useLocation } from 'react-router';
import { CameraClocks } from '#features/checking/web/CameraClocks.tsx';
import { KeptFocus } from '#features/checking/web/CheckedPhoto.tsx';
import { CheckingScreen } from '#features/checking/web/CheckingScreen.tsx';
import { DecisionsProvider } from '#features/checking/web/decisions.tsx';
import { FailedFiles } from '#features/checking/web/FailedFiles.tsx';
import { ScheduledPhotos } from '#features/checking/web/PublicationTime.tsx';
import { RemovalRequests, removalsIn } from '#features/checking/web/RemovalRequests.tsx';
import { actorText, countOf, removalsText } from '#features/checking/web/texts.ts';
import type { Photo } from '#features/photos/calls.ts';
import { OF_DAY } from '#features/photos/shared/states.ts';
import { type Tracking, useTracking } from '#features/photos/web/useStayPhotos.ts';
import { UploadPanel as Tray } from '#features/sending/web/UploadPanel.tsx';
import { hasArrivals, onQueuesChanged } from '#features/sending/web/UploadQueue.ts';
import type { FilterName } from '#features/shelf/web/filters.tsx';
import { PhotoAlbum } from '#features/shelf/web/PhotoAlbum.tsx';
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
import { type NamedStay, STILL_OPEN, stayQuestion } from '#features/stays/web/stays.ts';
import type { ReplyOf } from '#platform/shared/call.ts';
import { sweepDrafts } from '#platform/web/drafts.ts';
import { useLeaveGuard } from '#platform/web/history.tsx';
import { useQuestion } from '#platform/web/questions.ts';
import { useSite, useTitle } from '#platform/web/site.tsx';
import { Link } from '#platform/web/ui/Link.tsx';
import { LoadState } from '#platform/web/ui/LoadState.tsx';
import { Instant } from '#platform/web/ui/Time.tsx';
import { dayOf } from '#platform/web/ui/texts.ts';
import { DayWords, WordLink } from './DayWords.tsx';
import { NextStep } from './NextStep.tsx';
import { StayFooter } from './StayFooter.tsx';

/** The page on which a director manages a stay, designed for a phone held in one hand. */
export function DirectorPage() {
  const current = useStaySession();
  const directed = useStays().filter(({ role }) => role === 'formateur');
  if (current?.role === 'formateur') return <Visit key={current.token} session={current} />;
  return directed.length > 0 ? <OtherStay stays={directed} /> : <ToSignIn />;
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

/** The state of a stay's photos and what awaits its director, then the panel that uploads photos. */
function PhotosAndTray({ stay, session }: DirectedStayProps) {
  const { photos, tracking } = useTracking(session.stageId, 'stay');
  const [isChecking, setChecking] = useState(false);
  const onCheck = () => setChecking(true);
  /** The filter with which the album is open. */
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

interface TodayProps {
  stay: NamedStay;
  tracking: Tracking;
  photos: readonly Photo[];
  /** True while the panel below offers to check them, under what has arrived. */
  isOfferedBelow: boolean;
  onCheck(): void;
  onAlbum(first: FilterName): void;
}

function Today({ stay, tracking, photos, isOfferedBelow, onCheck, onAlbum }: TodayProps) {
  const { today, locale } = useSite();
  const { par_statut, programmees, legeres } = tracking;
  const { a_verifier: toCheck = 0, refusee: refused = 0 } = par_statut;
  const binned = par_statut.corbeille ?? 0;
  const total = Object.values(par_statut).reduce((sum, count) => sum + count, 0) - binned;
  const ofToday = photos.filter(({ jour, statut }) => jour === today && OF_DAY.includes(statut)).length;
  const removals = removalsIn(photos);
  if (total + binned === 0) {
    return (
      <p>
        Aucune photo pour le moment. Envoyez les premières ci-dessous{'\u202f'}: vous les vérifierez ici avant
        que les familles les voient.
      </p>
    );
  }
  return (
    <>
      {toCheck > 0 ? (
        // One large button at a time: after the sending, the one beside what has arrived.
        <button
          type="button"
          className={`button sm:self-start ${isOfferedBelow ? 'quiet' : 'min-h-14 px-6 text-lg'}`}
          onClick={onCheck}
        >
          <ListChecks aria-hidden="true" className={isOfferedBelow ? 'size-5' : 'size-6'} />
          Vérifier {countOf(toCheck)}
        </button>
      ) : (
        <div className="flex flex-wrap items-center gap-x-4">
          <p className="font-semibold">Aucune photo n’attend d’être vérifiée.</p>
          <WordLink stay={stay} className="inline-flex min-h-11 items-center" />
        </div>
      )}
      <CameraClocks tracking={tracking} photos={photos} heading="h3" above="photos" />
      <Counts
        counts={[
          ['d’aujourd’hui', ofToday],
          ['en préparation', par_statut.recue ?? 0],
          ['visibles par les familles', (par_statut.publiee ?? 0) - programmees],
          ['programmées', programmees],
        ]}
      />
      <div className="flex flex-wrap gap-3">
        <button type="button" className="button quiet" onClick={() => onAlbum('all')}>
          <Images aria-hidden="true" className="size-5 shrink-0" />
          Toutes les photos ({total.toLocaleString(locale)})
        </button>
        {refused > 0 && (
          <button type="button" className="button quiet" onClick={() => onAlbum('refused')}>
            <CircleX aria-hidden="true" className="size-5 shrink-0" />
            Photos refusées ({refused.toLocaleString(locale)})
          </button>
        )}
        {binned > 0 && (
          <button type="button" className="button quiet" onClick={() => onAlbum('bin')}>
            <Trash2 aria-hidden="true" className="size-5 shrink-0" />
            Corbeille ({binned.toLocaleString(locale)})
          </button>
        )}
      </div>
      {legeres > 0 && (
        <p className="flex items-start gap-2">
          <ImageDown aria-hidden="true" className="mt-0.5 size-5 shrink-0 text-pine" />
          La pleine qualité de {countOf(legeres)} n’est pas encore arrivée.
        </p>
      )}
      <KeptFocus heading="photos">
        <ScheduledPhotos photos={photos} />
        {removals.length > 0 && (
          <section aria-labelledby="retraits">
            <h3 id="retraits" className="mb-3">
              {removalsText(removals.length)}
            </h3>
            <RemovalRequests photos={removals} />
          </section>
        )}
        <FailedFiles photos={photos} />
      </KeptFocus>
      <Terms tracking={tracking} />
    </>
  );
}

/** Numbers with their labels; zeros are left out. */
function Counts({ counts }: { counts: readonly (readonly [label: string, count: number])[] }) {
  return (
    <dl className="grid grid-cols-[repeat(auto-fit,minmax(7.5rem,1fr))] gap-2">
      {counts
        .filter(([, count]) => count > 0)
        .map(([label, count]) => (
          <div key={label} className="flex flex-col-reverse rounded-control bg-mist px-3 py-2">
            <dt className="text-sm">{label}</dt>
            <dd className="text-2xl font-bold text-pine">{count}</dd>
          </div>
        ))}
    </dl>
  );
}

/** Who confirmed the consents, and until when the photos can be seen. */
function Terms({ tracking: { attestation, photos_jusquau } }: { tracking: Tracking }) {
  const { locale } = useSite();
  return (
    <p className="text-sm text-quiet">
      {attestation ? (
        <>
          Droit à l’image confirmé par {actorText(attestation.acteur)} le{' '}
          <Instant value={attestation.atteste_le} />.
        </>
      ) : (
        'Le droit à l’image vous sera demandé à la première publication.'
      )}{' '}
      Les familles voient les photos jusqu’au {dayOf(photos_jusquau, locale, 'UTC')}.
    </p>
  );
}
