import {
  ChevronDown,
  CircleCheck,
  CircleX,
  ImageDown,
  Images,
  ListChecks,
  type LucideIcon,
  Trash2,
} from 'lucide-react';
import { type ReactNode, type RefObject, useEffect, useRef, useState } from 'react';
import { useLocation } from 'react-router';
import { CameraClocks } from '#features/checking/web/CameraClocks.tsx';
import { KeptFocus } from '#features/checking/web/CheckedPhoto.tsx';
import { ScheduledPhotos } from '#features/checking/web/PublicationTime.tsx';
import { FailedFiles, failedIn, RemovalRequests, removalsIn } from '#features/checking/web/pending.tsx';
import { actorText, countOf, removalsText } from '#features/checking/web/texts.ts';
import type { Photo } from '#features/photos/calls.ts';
import { OF_DAY } from '#features/photos/shared/states.ts';
import type { Tracking } from '#features/photos/web/useStayPhotos.ts';
import type { Tally } from '#features/sending/shared/sending.ts';
import type { FilterName } from '#features/shelf/web/filters.tsx';
import type { NamedStay } from '#features/stays/web/stays.ts';
import { useSite } from '#platform/web/site.tsx';
import { Button } from '#platform/web/ui/Button.tsx';
import { Instant } from '#platform/web/ui/Time.tsx';
import { dayOf } from '#platform/web/ui/texts.ts';
import { WordLink } from './DayWords.tsx';

interface TodayProps {
  stay: NamedStay;
  tracking: Tracking;
  photos: readonly Photo[];
  /** True while the panel below offers to check them, under what has arrived. */
  isOfferedBelow: boolean;
  onCheck(): void;
  onAlbum(first: FilterName): void;
}

export function Today({ stay, tracking, photos, isOfferedBelow, onCheck, onAlbum }: TodayProps) {
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
  const albums: { first: FilterName; Icon: LucideIcon; name: string; count: number }[] = [
    { first: 'all', Icon: Images, name: 'Toutes les photos', count: total },
    { first: 'refused', Icon: CircleX, name: 'Photos écartées', count: refused },
    { first: 'bin', Icon: Trash2, name: 'Corbeille', count: binned },
  ];
  return (
    <>
      {toCheck > 0 ? (
        // One large button at a time: after the sending, the one beside what has arrived.
        <button
          type="button"
          className={`button sm:self-start ${isOfferedBelow ? 'quiet' : 'min-h-14 px-6 text-lg'}`}
          onClick={onCheck}
        >
          <ListChecks className={isOfferedBelow ? 'size-5' : 'size-6'} />
          Vérifier {countOf(toCheck)}
        </button>
      ) : (
        <div className="flex flex-wrap items-center gap-x-4">
          <p className="font-semibold">Aucune photo n’attend d’être vérifiée.</p>
          <WordLink stay={stay} className="inline-flex min-h-11 items-center" />
        </div>
      )}
      <KeptFocus heading="photos">
        <ToDecide count={tracking.horloges.a_regler.length + removals.length + failedIn(photos).length}>
          <CameraClocks tracking={tracking} photos={photos} heading="h3" above="photos" />
          {removals.length > 0 && (
            <section aria-labelledby="retraits">
              <h3 id="retraits" className="mb-3">
                {removalsText(removals.length)}
              </h3>
              <RemovalRequests photos={removals} />
            </section>
          )}
          <FailedFiles photos={photos} />
        </ToDecide>
      </KeptFocus>
      <Counts
        counts={[
          ['d’aujourd’hui', ofToday],
          ['en préparation', par_statut.recue ?? 0],
          ['visibles par les familles', (par_statut.publiee ?? 0) - programmees],
          ['programmées', programmees],
        ]}
      />
      <div className="flex flex-wrap gap-3">
        {albums
          .filter(({ first, count }) => first === 'all' || count > 0)
          .map(({ first, Icon, name, count }) => (
            <Button key={first} quiet onClick={() => onAlbum(first)}>
              <Icon className="size-5 shrink-0" />
              {name} ({count.toLocaleString(locale)})
            </Button>
          ))}
      </div>
      {legeres > 0 && (
        <p className="flex items-start gap-2">
          <ImageDown className="mt-0.5 size-5 shrink-0 text-pine" />
          La pleine qualité de {countOf(legeres)} n’est pas encore arrivée.
        </p>
      )}
      <KeptFocus heading="photos">
        <ScheduledPhotos photos={photos} />
      </KeptFocus>
      <Terms tracking={tracking} />
    </>
  );
}

/** What waits for a decision: on a phone behind one line, as a director comes to send photos. */
function ToDecide({ count, children }: { count: number; children: ReactNode }) {
  const [isOpen, setOpen] = useState(() => window.matchMedia('(min-width: 40rem)').matches);
  const box = useRef<HTMLDetailsElement>(null);
  const { hash, key } = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the same link may be followed again
  useEffect(() => {
    const target = document.getElementById(hash.slice(1));
    if (!target || !box.current?.contains(target)) return;
    box.current.open = true;
    target.scrollIntoView();
  }, [hash, key]);
  if (count === 0) return children;
  return (
    <details
      ref={box}
      open={isOpen}
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
      className="group flex flex-col"
    >
      <summary className="flex min-h-11 items-center gap-2 font-semibold text-coral">
        {count > 1 ? `${count} choses à décider` : 'Une chose à décider'}
        <ChevronDown className="size-5 transition-transform group-open:rotate-180" />
      </summary>
      <div className="mt-2 flex flex-col gap-4">{children}</div>
    </details>
  );
}

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

interface NextStepProps {
  stay: NamedStay;
  tally: Tally;
  tracking: Tracking;
  isChecking: boolean;
  onCheck(): void;
}

/** What a director does with photos that have arrived: check them, then write the word of the day. */
export function NextStep({ stay, tally, tracking, isChecking, onCheck }: NextStepProps) {
  const { a_verifier: toCheck = 0, recue: inPreparation = 0 } = tracking.par_statut;
  const { total, ready, left } = tally;
  /** True from the opening of the checking screen until it has been left with nothing to check. */
  const hasChecked = useRef(false);
  useEffect(() => {
    if (isChecking) hasChecked.current = true;
  }, [isChecking]);
  if (ready === 0) return null;
  if (toCheck === 0) {
    const isDone = left === 0 && inPreparation === 0;
    return isDone && <AllChecked stay={stay} isChecking={isChecking} hasChecked={hasChecked} />;
  }
  const isLarge = left === 0;
  return (
    <div className="flex flex-col items-start gap-3">
      {isLarge && <p>{unseenText(toCheck, total)}</p>}
      <button
        type="button"
        className={`button ${isLarge ? 'min-h-14 px-6 text-lg max-sm:w-full' : ''}`}
        onClick={onCheck}
      >
        <ListChecks className={isLarge ? 'size-6' : 'size-5'} />
        Vérifier et publier ({toCheck})
      </button>
    </div>
  );
}

function unseenText(toCheck: number, total: number): string {
  if (toCheck >= total) {
    return `Les familles ne ${total === 1 ? 'la' : 'les'} voient pas encore.`;
  }
  return toCheck === 1
    ? 'Les familles ne voient pas encore la photo qui reste à vérifier.'
    : `Les familles ne voient pas encore les ${toCheck} photos qui restent à vérifier.`;
}

interface AllCheckedProps extends Pick<NextStepProps, 'stay' | 'isChecking'> {
  hasChecked: RefObject<boolean>;
}

function AllChecked({ stay, isChecking, hasChecked }: AllCheckedProps) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (isChecking || !hasChecked.current) return;
    hasChecked.current = false;
    // The button that opened the checking screen, to which the focus would go back, is gone.
    const places = [document.body, document.getElementById('contenu')];
    if (places.some((place) => place === document.activeElement)) box.current?.focus();
  }, [isChecking, hasChecked]);
  return (
    <div ref={box} tabIndex={-1} className="flex flex-wrap items-center gap-x-4 gap-y-2">
      <p className="flex items-center gap-2">
        <CircleCheck className="size-5 shrink-0 text-moss" />
        Tout est vérifié.
      </p>
      <WordLink stay={stay} className="button" />
    </div>
  );
}
