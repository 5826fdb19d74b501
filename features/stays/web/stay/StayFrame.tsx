import { type UseQueryResult, useQueryClient } from '@tanstack/react-query';
import { CalendarDays, ChevronDown, Eye } from 'lucide-react';
import { type ReactNode, useEffect } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { rangeOf } from '#platform/shared/dates.ts';
import type { PasswordType } from '#platform/shared/roles.ts';
import { daysBetween } from '#platform/shared/time.ts';
import { CallError } from '#platform/web/api.ts';
import { useSite, useTitle } from '#platform/web/site.tsx';
import { Button } from '#platform/web/ui/Button.tsx';
import { Drawing } from '#platform/web/ui/Drawing.tsx';
import { useConfirmLeaving } from '#platform/web/ui/dialogs.tsx';
import { Link } from '#platform/web/ui/Link.tsx';
import { LoadState } from '#platform/web/ui/LoadState.tsx';
import { useNotices } from '#platform/web/ui/notices.tsx';
import { useDropdown } from '#platform/web/ui/useDropdown.ts';
import { useAction } from '#platform/web/ui/useForm.ts';
import {
  ALL_STAYS,
  forgetStay,
  isKept,
  nameOfSession,
  type StaySession,
  signInAddressOf,
  signInEnded,
  TOGETHER_ADDRESS,
  useFamilies,
  useStaySession,
  useStays,
  useSwitchStay,
  type Viewer,
} from '../sessions.ts';
import { type NamedStay, photosAddress, stateOf } from '../stays.ts';

interface StayHeaderProps {
  stay: NamedStay;
  drawing: 'lake' | 'mountain';
  /** Text above the name: whose page it is. */
  above: string;
  /** Buttons and links shown in the header. */
  children?: ReactNode;
}

export function StayHeader({ stay, drawing, above, children }: StayHeaderProps) {
  const { locale, today } = useSite();
  const { arrive } = useNotices();
  useEffect(arrive, [arrive]);
  return (
    <>
      <Drawing name={drawing} className="h-16 w-full sm:h-[clamp(7rem,18vw,12rem)]" />
      <div className="relative z-10 mx-auto -mt-10 w-full max-w-5xl px-4 sm:-mt-14">
        <header className="flex flex-col gap-1 rounded-card border border-mist bg-card p-4 shadow-card sm:gap-2 sm:p-6">
          <div className="flex flex-wrap items-center justify-between gap-x-2 gap-y-1">
            <p className="font-semibold text-quiet max-sm:text-sm">{above}</p>
            <p className="rounded-full bg-sun px-2 py-0.5 sm:px-3 text-sm font-semibold text-on-sun">
              {progressOf(stay, today)}
            </p>
          </div>
          <h1>{stay.nom_stage}</h1>
          <p className="flex items-start gap-2 sm:text-lg">
            <CalendarDays className="mt-0.5 size-5 sm:mt-1 shrink-0 text-pine" />
            {rangeOf(stay.date_debut, stay.date_fin, locale)}
          </p>
          {children}
        </header>
      </div>
    </>
  );
}

interface StayMainProps<T> {
  query: UseQueryResult<T>;
  children(stay: T): ReactNode;
}

export function StayMain<T>({ query, children }: StayMainProps<T>) {
  return (
    <main id="contenu" tabIndex={-1} className="grow">
      <LoadState
        query={query}
        failed="Le séjour n’a pas pu être chargé."
        frame={(state) => <div className="page">{state}</div>}
      >
        {children}
      </LoadState>
    </main>
  );
}

interface PartProps {
  id: string;
  title: string;
  /** Name of the stay, where several are shown. */
  of?: string | undefined;
  children: ReactNode;
}

/** What the sections of a stay are told: as whom it is viewed, and its name where several stays are shown. */
export interface StayShown {
  as: Viewer;
  of?: string | undefined;
}

/** Id and name of a section of a stay, unique where several stays are shown. */
export function partOf(id: string, stageId: number, { as, of }: StayShown) {
  return { id: as.startsWith('famille') ? `${id}-${stageId}` : id, of };
}

export function Part({ id, title, of, children }: PartProps) {
  return (
    <section aria-labelledby={id} className="card overflow-clip! gap-4 p-5 sm:p-6">
      <h2 id={id} tabIndex={-1} className="text-xl">
        {title}
        {of && <span className="sr-only">, {of}</span>}
      </h2>
      {children}
    </section>
  );
}

export function StaySwitcher() {
  const menu = useDropdown<HTMLDivElement>({ opensOnHover: false });
  const current = useStaySession();
  const others = useStays().filter(({ token }) => token !== current?.token);
  const { isBusy, run } = useAction();
  const hasSeveral = useFamilies().length > 1;
  const switchStay = useSwitchStay();
  const confirmLeaving = useConfirmLeaving();
  const choose = async (stay: StaySession) => {
    if (await confirmLeaving()) run(() => switchStay(stay), 'Erreur lors du changement de séjour');
  };
  if (others.length === 0) return null;
  return (
    <div ref={menu.ref} className="relative">
      <Button quiet aria-disabled={isBusy} {...menu.button}>
        Changer de séjour
        <ChevronDown className="size-5" />
      </Button>
      <ul
        id={menu.id}
        className={`dropdown left-0 w-72 max-w-[calc(100vw-4rem)] ${menu.isOpen ? '' : 'closed'}`}
      >
        {hasSeveral && (
          <li>
            <Link to={TOGETHER_ADDRESS} className="menu-link">
              {ALL_STAYS}
            </Link>
          </li>
        )}
        {others.map((stay) => (
          <li key={stay.token}>
            <button type="button" className="menu-link wrap-anywhere" onClick={() => choose(stay)}>
              {nameOfSession(stay)}
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}

interface ViewBannerProps {
  stageId: number;
  /** Type of the sign-in; undefined for staff. */
  role: PasswordType | undefined;
}

/** Tells directors and staff that they see the page of families, with a link back. */
export function ViewBanner({ stageId, role }: ViewBannerProps) {
  if (role === 'stagiaire') return null;
  const isStaff = role === undefined;
  return (
    <div className="border-b border-mist bg-mist">
      <div className="mx-auto flex w-full max-w-6xl flex-wrap items-center gap-x-4 px-4 py-1">
        <Eye className="size-5 shrink-0 text-pine" />
        <p className="grow basis-56 font-semibold">
          {isStaff ? 'Vue d’administrateur' : 'Vous voyez la page comme une famille'}
        </p>
        <Link
          to={isStaff ? photosAddress(stageId) : '/formateur'}
          className="inline-flex min-h-11 items-center"
        >
          {isStaff ? 'Retour au portail' : 'Revenir à mon espace'}
        </Link>
      </div>
    </div>
  );
}

/** Redirects to the sign-in page, with the stay number filled in when given. */
export function ToSignIn({ stageId }: { stageId?: number | undefined }) {
  const navigate = useNavigate();
  const { pathname } = useLocation();
  useEffect(() => {
    // After a sign-out on this page, a navigation to the home page is already under way.
    if (window.location.pathname !== pathname) return;
    navigate(stageId === undefined ? '/connexion' : signInAddressOf(stageId), { replace: true });
  }, [navigate, pathname, stageId]);
  return null;
}

/**
 * Shown instead of a stay that this device is signed in to while another one is active, with a button to switch.
 * Switching takes a press: two windows that switched by themselves would take turns endlessly.
 */
export function OtherStay({ stays }: { stays: readonly StaySession[] }) {
  const { isBusy, run } = useAction();
  const switchStay = useSwitchStay();
  const hasSeveral = useFamilies().length > 1;
  useTitle('Changer de séjour');
  return (
    <main id="contenu" tabIndex={-1}>
      <Drawing name="lake" className="h-[clamp(7rem,18vw,14rem)] w-full" />
      <div className="page relative z-10 -mt-12 max-w-xl pt-0">
        <div className="card items-start gap-4 p-5 sm:p-8">
          <h1 className="text-2xl sm:text-3xl">Changer de séjour</h1>
          <p>
            Vous aviez ouvert un autre séjour. Touchez le bouton pour revenir à celui-ci{'\u202f'}; l’autre
            reste ouvert sur cet appareil.
          </p>
          {hasSeveral && (
            <Link to={TOGETHER_ADDRESS} className="button">
              {ALL_STAYS}
            </Link>
          )}
          {stays.map((stay) => (
            <Button
              key={stay.token}
              className="max-w-full wrap-anywhere"
              aria-disabled={isBusy}
              onClick={() => run(() => switchStay(stay), 'Erreur lors du changement de séjour')}
            >
              Ouvrir {nameOfSession(stay)}
            </Button>
          ))}
        </div>
      </div>
    </main>
  );
}

export function progressOf(stay: NamedStay, today: string): string {
  const state = stateOf(stay, today);
  if (state === 'past') return 'Séjour terminé';
  if (state === 'running') {
    const day = daysBetween(stay.date_debut, today) + 1;
    return `Jour ${day} sur ${daysBetween(stay.date_debut, stay.date_fin) + 1}`;
  }
  const left = daysBetween(today, stay.date_debut);
  return left === 1 ? 'Commence demain' : `Commence dans ${left}\u00a0jours`;
}

/**
 * Returns a function that forgets a sign-in when a failure means that it is over (401), and returns true then. Redirects
 * to the sign-in page, with the stay number filled in; where the stays of several families are shown together, the
 * others go on. `failed`: a failure to load the page, handled at once.
 */
export function useEndOfVisit(
  session: StaySession | undefined,
  failed?: Error | null,
): (failure: unknown) => boolean {
  const navigate = useNavigate();
  const { pathname } = useLocation();
  const hasOthers = useFamilies().length > 1;
  const answers = useQueryClient();
  const { warn } = useNotices();
  const endVisit = (failure: unknown) => {
    if (!session || !(failure instanceof CallError) || failure.status !== 401) return false;
    // Said once, however much fails.
    if (!isKept(session)) return true;
    if (pathname === TOGETHER_ADDRESS && hasOthers) {
      forgetStay(session);
      warn(`Votre connexion à «\u00a0${session.nom}\u00a0» est terminée.`, signInEnded(failure)[1]);
      return true;
    }
    navigate(signInAddressOf(session.stageId), { replace: true });
    forgetStay(session);
    // Nothing of it stays in this page.
    answers.clear();
    warn(...signInEnded(failure));
    return true;
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each failure
  useEffect(() => {
    endVisit(failed);
  }, [failed]);
  return endVisit;
}
