import { CalendarDays, Info } from 'lucide-react';
import { type ReactNode, startTransition, useEffect, useMemo, useState } from 'react';
import { useParams } from 'react-router';
import { Gallery } from '#features/gallery/web/Gallery.tsx';
import { sweepKeepsakes } from '#features/gallery/web/keepsakes.ts';
import { RemovalAnswers } from '#features/gallery/web/removals.tsx';
import { useEarlyPhotos } from '#features/photos/web/useStayPhotos.ts';
import { type StaySession, useStaySession, useStays } from '#features/stays/web/sessions.ts';
import { Questionnaire } from '#features/stays/web/stay/Questionnaire.tsx';
import {
  OtherStay,
  progressOf,
  StayMain,
  StaySwitcher,
  ToSignIn,
  useEndOfVisit,
  ViewBanner,
} from '#features/stays/web/stay/StayFrame.tsx';
import { Booklets, PracticalInfo } from '#features/stays/web/stay/StayParts.tsx';
import { isStayId, type NamedStay, STILL_OPEN, stateOf, stayQuestion } from '#features/stays/web/stays.ts';
import type { ReplyOf } from '#platform/shared/call.ts';
import { rangeOf } from '#platform/shared/dates.ts';
import { CallError } from '#platform/web/api.ts';
import { useThing } from '#platform/web/questions.ts';
import { useIsSignedIn } from '#platform/web/session.ts';
import { useSite, useTitle } from '#platform/web/site.tsx';
import { Button } from '#platform/web/ui/Button.tsx';
import { Drawing } from '#platform/web/ui/Drawing.tsx';
import { useIsRendered } from '#platform/web/ui/inBrowser.tsx';
import { useNotices } from '#platform/web/ui/notices.tsx';
import { TextSizeControl } from '#platform/web/ui/TextSize.tsx';
import { dayOf } from '#platform/web/ui/texts.ts';
import { useDropdown } from '#platform/web/ui/useDropdown.ts';
import { StayFooter } from './StayFooter.tsx';

/** The page of a stay as its families see it; directors and staff see the same page. */
export function StayPage() {
  const { id = '' } = useParams();
  const current = useStaySession();
  const held = useStays();
  const isStaff = useIsSignedIn('portal');
  if (!isStayId(id)) return <ToSignIn />;
  const stageId = Number(id);
  if (current?.stageId === stageId) return <Visit key={current.token} stageId={stageId} session={current} />;
  const other = held.find((stay) => stay.stageId === stageId);
  if (other) return <OtherStay stays={[other]} />;
  return isStaff ? <Visit key={id} stageId={stageId} /> : <ToSignIn stageId={stageId} />;
}

interface VisitProps {
  stageId: number;
  /** Undefined: the viewer is staff. */
  session?: StaySession;
}

function Visit({ stageId, session }: VisitProps) {
  useEarlyPhotos(stageId, session);
  const query = useThing(stayQuestion(stageId, session ? 'stay' : 'portal'), STILL_OPEN);
  const { data: stay, error } = query;
  useEndOfVisit(session, error);
  useTitle(stay?.nom_stage);
  useEffect(() => sweepKeepsakes(new Date()), []);
  if (!session && error instanceof CallError && error.status === 401) return <ToSignIn stageId={stageId} />;
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

function Stay({ stay, session }: { stay: ReplyOf<'GET /stages/:id'>; session: StaySession | undefined }) {
  return (
    <>
      <ViewBanner stageId={stay.id} role={session?.role} />
      <FamilyHeader stay={stay} />
      <div className="pb-4">
        {session?.role === 'stagiaire' && <RemovalAnswers stageId={stay.id} />}
        <Photos stay={stay} session={session} />
      </div>
      <BelowPhotos>
        <div className="page flex flex-col gap-6 pt-6">
          <div className="grid items-start gap-6 lg:grid-cols-[3fr_2fr]">
            <PracticalInfo stay={stay} />
            <Booklets stageId={stay.id} as={session ? 'stay' : 'portal'} />
          </div>
          <Questionnaire stay={stay} session={session} />
          <StayFooter session={session} />
        </div>
      </BelowPhotos>
    </>
  );
}

/** Name, dates and state of a stay in two lines, and what leads elsewhere on the page: the photos come first. */
function FamilyHeader({ stay }: { stay: NamedStay }) {
  const { locale, today } = useSite();
  const { arrive } = useNotices();
  useEffect(arrive, [arrive]);
  return (
    <header className="relative mx-auto flex w-full max-w-6xl flex-wrap items-center justify-between gap-x-3 gap-y-1 px-4 pt-2 sm:gap-x-6 sm:pt-4">
      <div className="min-w-0 grow basis-52">
        <h1 className="max-sm:text-[1.375rem] sm:text-[1.75rem]">{stay.nom_stage}</h1>
        <div className="flex flex-wrap items-center gap-x-1.5 gap-y-1 sm:gap-x-2">
          <CalendarDays className="size-5 shrink-0 text-pine max-sm:hidden" />
          <p className="first-letter:uppercase max-sm:text-sm">
            {rangeOf(stay.date_debut, stay.date_fin, locale)}
          </p>
          <p className="rounded-full bg-sun px-2 text-sm font-semibold text-on-sun max-sm:px-1.5 max-sm:text-note">
            {progressOf(stay, today)}
          </p>
          <StaySwitcher />
        </div>
      </div>
      <Places />
    </header>
  );
}

/** Sections after the photos, linked at the top because there may be thousands of photos. */
const PLACES = [
  { id: 'infos', label: 'Informations pratiques' },
  { id: 'livrets', label: 'Livrets' },
  { id: 'questionnaire', label: 'Votre avis' },
];

/** Links to the sections and the size of texts: in a menu on a phone, in a line where there is room. */
function Places() {
  const menu = useDropdown<HTMLDivElement>({ opensOnHover: false });
  return (
    <div ref={menu.ref} className="sm:-mr-2">
      <Button quiet className="gallery-tool min-w-11 sm:hidden" {...menu.button}>
        <Info className="size-5" />
        Infos
      </Button>
      <div
        id={menu.id}
        className={`dropdown family-menu max-sm:inset-x-4 max-sm:top-full ${menu.isOpen ? '' : 'closed'}`}
      >
        <nav aria-label="Sur cette page">
          <ul className="sm:flex sm:gap-x-5">
            {PLACES.map(({ id, label }) => (
              <li key={id}>
                <a href={`#${id}`} className="flex min-h-11 items-center px-3 sm:px-0">
                  {label}
                </a>
              </li>
            ))}
          </ul>
        </nav>
        <div className="flex items-center">
          <span aria-hidden="true" className="grow pl-3 sm:hidden">
            Taille des textes
          </span>
          <TextSizeControl />
        </div>
      </div>
    </div>
  );
}

/** What nobody sees at first: rendered in slices, once the photos are alive. */
export function BelowPhotos({ children }: { children: ReactNode }) {
  const isRendered = useIsRendered();
  const [isShown, setShown] = useState(!isRendered);
  useEffect(() => startTransition(() => setShown(true)), []);
  return isShown && children;
}

interface PhotosProps {
  stay: ReplyOf<'GET /stages/:id'>;
  /** Undefined: the viewer is staff. */
  session: StaySession | undefined;
}

/** The photos of a stay, or a message: after their last day, that they are no longer online. */
function Photos({ stay, session }: PhotosProps) {
  const { locale, today } = useSite();
  const { id: stageId, photos_jusquau } = stay;
  const stays = useMemo(
    () => [{ stageId, as: session ? 'stay' : 'portal', session, lastDay: photos_jusquau } as const],
    [stageId, session, photos_jusquau],
  );
  if (photos_jusquau >= today) {
    const isRunning = stateOf(stay, today) === 'running';
    return <Gallery stays={stays} isRunning={isRunning} nothing={<NoPhotos stay={stay} />} />;
  }
  const lastDay = <strong>{dayOf(photos_jusquau, locale, 'UTC')}</strong>;
  return <PhotosOver>On pouvait les voir jusqu’au {lastDay}. Elles ne sont plus en ligne.</PhotosOver>;
}

export function PhotosOver({ children }: { children: ReactNode }) {
  return (
    <div className="mx-auto w-full max-w-6xl px-4 pt-4">
      <PhotosPlace title="Les photos ne sont plus visibles">
        <p>{children}</p>
      </PhotosPlace>
    </div>
  );
}

export function NoPhotos({ stay }: { stay: ReplyOf<'GET /stages/:id'> }) {
  const { locale, today } = useSite();
  const isOver = stateOf(stay, today) === 'past';
  const lastDay = <strong>{dayOf(stay.photos_jusquau, locale, 'UTC')}</strong>;
  return (
    <PhotosPlace title={isOver ? 'Les photos du séjour' : 'Les photos arriveront ici'}>
      <p>
        {isOver
          ? 'Le séjour est terminé. Vous verrez ici les photos que son équipe a choisi de montrer.'
          : 'L’équipe du séjour les envoie au fil des jours, et les regarde une à une avant de les montrer.'}
      </p>
      <p>Vous pourrez les voir jusqu’au {lastDay}. Elles seront ensuite effacées.</p>
    </PhotosPlace>
  );
}

export function PhotosPlace({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className="well flex flex-col items-center gap-x-8 gap-y-3 sm:flex-row sm:p-8">
      <Drawing name="clothesline" className="h-36 w-52 shrink-0" />
      <div className="max-w-[60ch]">
        <h2 id="photos">{title}</h2>
        <div className="mt-2 flex flex-col gap-2">{children}</div>
      </div>
    </div>
  );
}
