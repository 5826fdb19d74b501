import { ChevronDown, Eye, FileArchive, ImageUp, ListChecks } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { useParams } from 'react-router';
import { CameraClocks } from '#features/checking/web/CameraClocks.tsx';
import { KeptFocus } from '#features/checking/web/CheckedPhoto.tsx';
import { CheckingScreen } from '#features/checking/web/CheckingScreen.tsx';
import { DecisionsProvider } from '#features/checking/web/decisions.tsx';
import { ScheduledPhotos } from '#features/checking/web/PublicationTime.tsx';
import { FailedFiles, RemovalRequests, removalsIn } from '#features/checking/web/pending.tsx';
import { actorText, countOf } from '#features/checking/web/texts.ts';
import { NOT_TO_PUBLISH } from '#features/gallery/web/save.tsx';
import type { Photo } from '#features/photos/calls.ts';
import { STAY_BYTES, STAY_PHOTOS } from '#features/photos/shared/terms.ts';
import { type StayPhotos as Loaded, type Tracking, useTracking } from '#features/photos/web/useStayPhotos.ts';
import { UploadPanel } from '#features/sending/web/UploadPanel.tsx';
import {
  erasedText,
  familyViewAddress,
  type ManagedStay,
  retentionAddress,
  stayQuestion,
} from '#features/stays/web/stays.ts';
import { weightOf } from '#platform/shared/bytes.ts';
import { addressOf } from '#platform/web/api.ts';
import { useMay } from '#platform/web/portal.ts';
import { useThing } from '#platform/web/questions.ts';
import { useSite } from '#platform/web/site.tsx';
import { Button } from '#platform/web/ui/Button.tsx';
import { Drawing } from '#platform/web/ui/Drawing.tsx';
import { Link } from '#platform/web/ui/Link.tsx';
import { LoadState } from '#platform/web/ui/LoadState.tsx';
import { useNotices } from '#platform/web/ui/notices.tsx';
import { Section } from '#platform/web/ui/Section.tsx';
import { Instant } from '#platform/web/ui/Time.tsx';
import { dayOf } from '#platform/web/ui/texts.ts';
import { PhotoShelf } from './PhotoShelf.tsx';

/** The photos of one stay, for staff: `/photos-modify/{id}`, a tab of the page of the stay. */
export function PhotosPage() {
  const { id = '' } = useParams();
  const query = useThing(stayQuestion(id));
  return (
    <LoadState query={query} failed="Le séjour n’a pas pu être chargé.">
      {(stay) =>
        stay ? (
          <DecisionsProvider key={stay.id} stageId={stay.id} as="portal">
            <StayPhotos stay={stay as ManagedStay} />
          </DecisionsProvider>
        ) : null
      }
    </LoadState>
  );
}

const HEADING = 'sejour';

function StayPhotos({ stay }: { stay: ManagedStay }) {
  const { locale, timeZone } = useSite();
  const { photos, tracking } = useTracking(stay.id, 'portal');
  return (
    <>
      <h2 id={HEADING} tabIndex={-1} className="mb-4">
        Photos du séjour
      </h2>
      <LoadState query={tracking} failed="L’état des photos n’a pas pu être chargé.">
        {(found) => (
          <div className="flex flex-col gap-8">
            {found.preuve && <Proof proof={found.preuve} />}
            {stay.efface_le ? (
              <p className="well">{erasedText(stay.efface_le, locale, timeZone)}</p>
            ) : (
              <>
                <StayFacts stay={stay} tracking={found} />
                <LoadState query={photos} failed="Les photos n’ont pas pu être chargées.">
                  {(loaded) => <Kept stay={stay} tracking={found} loaded={loaded} />}
                </LoadState>
              </>
            )}
          </div>
        )}
      </LoadState>
    </>
  );
}

function Kept({ stay, tracking, loaded }: { stay: ManagedStay; tracking: Tracking; loaded: Loaded }) {
  const { locale, today } = useSite();
  const { photos, total, isWhole } = loaded;
  return (
    <>
      <Ways stay={stay} tracking={tracking} />
      {tracking.photos_jusquau >= today && <Sending stageId={stay.id} />}
      {photos.length === 0 && !tracking.par_statut.corbeille ? (
        <div className="well flex flex-wrap items-center gap-x-6 gap-y-2">
          <Drawing name="clothesline" className="h-28 w-40" />
          <p className="flex-1 basis-52">
            Aucune photo pour le moment. La direction du séjour les envoie depuis son espace, et vous pouvez
            en envoyer aussi. Elles arriveront ici d’elles-mêmes.
          </p>
        </div>
      ) : (
        <>
          <CameraClocks tracking={tracking} photos={photos} heading="h2" above={HEADING} />
          <Waiting photos={photos} />
          {!isWhole && (
            <p role="status" className="text-quiet">
              {photos.length.toLocaleString(locale)} photos sur {total.toLocaleString(locale)} sont là, la
              suite arrive…
            </p>
          )}
          <PhotoShelf photos={photos} stay={stay} tracking={tracking} />
        </>
      )}
    </>
  );
}

function Sending({ stageId }: { stageId: number }) {
  return (
    <details className="group rounded-control border border-mist bg-card px-4">
      <summary className="flex min-h-13 items-center gap-2 font-semibold">
        <ImageUp className="size-5 shrink-0 text-pine" />
        <span className="grow">Envoyer des photos</span>
        <ChevronDown className="size-5 transition-transform group-open:rotate-180" />
      </summary>
      <div className="flex flex-col gap-4 pb-4">
        <UploadPanel stageId={stageId} as="portal" />
      </div>
    </details>
  );
}

/** Proof of the confirmed consents, kept after the photos were erased. */
function Proof({ proof }: { proof: NonNullable<Tracking['preuve']> }) {
  const { acteur, atteste_le, efface_le, oui, non, inconnu, photos } = proof;
  return (
    <Section
      id="preuve"
      title="Preuve d’autorisation"
      className="rounded-control border border-mist bg-card p-4"
      look="mb-2 text-xl"
    >
      <p>
        {countOf(photos, 'effacée')} le <Instant value={efface_le} />. Le droit à l’image avait été confirmé
        par {actorText(acteur)} le <Instant value={atteste_le} />.
      </p>
      <p className="text-quiet">
        Réponses des familles{'\u202f'}: {oui} oui, {non} non, {inconnu} inconnue{inconnu > 1 ? 's' : ''}.
        Aucun nom n’est gardé.
      </p>
    </Section>
  );
}

function Waiting({ photos }: { photos: readonly Photo[] }) {
  const removals = removalsIn(photos);
  return (
    <KeptFocus heading={HEADING}>
      {removals.length > 0 && (
        <Section id="retraits" title={`Demandes de retrait (${removals.length})`} look="mb-3 text-xl">
          <RemovalRequests photos={removals} />
        </Section>
      )}
      <ScheduledPhotos photos={photos} />
      <FailedFiles photos={photos} />
    </KeptFocus>
  );
}

function Ways({ stay, tracking: { par_statut } }: { stay: ManagedStay; tracking: Tracking }) {
  const [isChecking, setChecking] = useState(false);
  const { say } = useNotices();
  const toCheck = par_statut.a_verifier ?? 0;
  return (
    <div className="flex flex-wrap gap-3">
      {toCheck > 0 && (
        <Button onClick={() => setChecking(true)}>
          <ListChecks className="size-5" />
          Vérifier {countOf(toCheck)}
        </Button>
      )}
      <Link className="button quiet" to={familyViewAddress(stay.id)}>
        <Eye className="size-5" />
        Voir comme une famille
      </Link>
      {(par_statut.publiee ?? 0) > 0 && (
        <a
          className="button quiet"
          href={addressOf('GET /stages/:id/photos.zip', { params: { id: stay.id } })}
          download
          onClick={() => say(NOT_TO_PUBLISH)}
        >
          <FileArchive className="size-5" />
          Télécharger les photos publiées
        </a>
      )}
      {isChecking && <CheckingScreen onClose={() => setChecking(false)} />}
    </div>
  );
}

function StayFacts({ stay, tracking }: { stay: ManagedStay; tracking: Tracking }) {
  const { locale, today } = useSite();
  const may = useMay();
  const { attestation, octets, par_statut, photos_jusquau } = tracking;
  const areOver = photos_jusquau < today;
  const count = Object.values(par_statut).reduce((sum, one) => sum + one, 0);
  return (
    <dl className="grid grid-cols-[repeat(auto-fit,minmax(14rem,1fr))] gap-3">
      <Fact title={areOver ? 'Ne sont plus visibles depuis le' : 'Visibles jusqu’au'}>
        {dayOf(photos_jusquau, locale, 'UTC')}
        {areOver && ' au soir'}
        {may(['sejours']) && (
          <Link className="flex min-h-11 w-fit items-center" to={retentionAddress(stay.id)}>
            Changer la durée
          </Link>
        )}
      </Fact>
      <Fact title="Place prise">
        {weightOf(octets)} sur {weightOf(STAY_BYTES)}
        <span className="block text-quiet">
          {count.toLocaleString(locale)} photos sur {STAY_PHOTOS.toLocaleString(locale)}
        </span>
      </Fact>
      <Fact title="Droit à l’image">
        {attestation ? (
          <>
            Confirmé par {actorText(attestation.acteur)}
            <span className="block text-quiet">
              le <Instant value={attestation.atteste_le} />
            </span>
          </>
        ) : (
          'Pas encore confirmé\u202f: la première publication le demandera.'
        )}
      </Fact>
    </dl>
  );
}

function Fact({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className="rounded-control border border-mist bg-card p-4">
      <dt className="text-sm font-semibold text-quiet">{title}</dt>
      <dd className="mt-1">{children}</dd>
    </div>
  );
}
