import { ArrowRight, Eye } from 'lucide-react';
import type { Preparation } from '#features/dashboard/calls.ts';
import { momentOf, type Need, needsOf } from '#features/dashboard/web/Board.tsx';
import { BackToList } from '#features/stays/web/StaySelect.tsx';
import { OnlyStayProvider, type StayTab, tabAddress } from '#features/stays/web/stayPage.tsx';
import { familyViewAddress, STAYS } from '#features/stays/web/stays.ts';
import { rangeOf } from '#platform/shared/dates.ts';
import type { LazyPage } from '#platform/web/pages.tsx';
import { useMay } from '#platform/web/portal.ts';
import { useQuestion, useThing } from '#platform/web/questions.ts';
import { useSite, useTitle } from '#platform/web/site.tsx';
import { Link } from '#platform/web/ui/Link.tsx';
import { LoadState } from '#platform/web/ui/LoadState.tsx';
import { STAY_TABS } from './panels.tsx';

interface PortalStayPageProps {
  id: number;
  tab: string;
  /** What a tab shows that is a page of its own. */
  Component?: LazyPage;
}

/** The page of one stay: its name, where it stands, and a tab for each thing to do with it. */
export function PortalStayPage({ id, tab, Component }: PortalStayPageProps) {
  const question = { key: 'GET /preparation', query: { stageId: id } } as const;
  const query = useThing(question, { isRefreshed: true });
  const shown = STAY_TABS.find(({ key }) => key === tab) ?? STAY_TABS[0];
  const Body = Component ?? shown?.Component;
  return (
    <LoadState query={query} failed="Le séjour n’a pas pu être chargé.">
      {(found) => {
        const [stay] = found ?? [];
        if (!stay) return <NoStay />;
        return (
          <OnlyStayProvider id={id}>
            <Head stay={stay} tab={shown} />
            <Tabs stay={stay} current={shown?.key} />
            {Body && <Body />}
          </OnlyStayProvider>
        );
      }}
    </LoadState>
  );
}

function NoStay() {
  return (
    <>
      <BackToList />
      <h1 className="mb-6">Séjour introuvable</h1>
      <p className="well">Ce séjour n’existe pas ou n’existe plus.</p>
    </>
  );
}

function Head({ stay, tab }: { stay: Preparation; tab: StayTab | undefined }) {
  const { locale, today } = useSite();
  const may = useMay();
  useTitle(stay.nom_stage);
  return (
    <header className="flex flex-wrap items-center gap-x-4">
      <BackToList />
      {tab && <NextStay id={stay.id} tab={tab} />}
      <h1 className="wrap-anywhere max-sm:w-full">{stay.nom_stage}</h1>
      <p className="text-quiet">
        {rangeOf(stay.date_debut, stay.date_fin, locale)}, {momentOf(stay, today)} · séjour n° {stay.id}
      </p>
      {may(['photos']) && (
        <Link className="inline-flex min-h-11 items-center gap-2" to={familyViewAddress(stay.id)}>
          <Eye className="size-4" />
          Voir comme une famille
        </Link>
      )}
    </header>
  );
}

/** For what is done in one stay after the other: the same tab of the next one in the list. */
function NextStay({ id, tab }: { id: number; tab: StayTab }) {
  const { data: stays = [] } = useQuestion(STAYS);
  const next = stays.find((_, index) => stays[index - 1]?.id === id);
  if (!next) return null;
  return (
    <Link
      className="ml-auto inline-flex min-h-11 items-center gap-2 sm:order-last"
      to={tabAddress(tab, next.id)}
      title={next.nom_stage}
    >
      Séjour suivant
      <ArrowRight className="size-4" />
    </Link>
  );
}

function Tabs({ stay, current }: { stay: Preparation; current: string | undefined }) {
  const { today } = useSite();
  const may = useMay();
  const needs = needsOf(stay, today);
  return (
    <nav aria-label="Ce séjour" className="mb-2 overflow-x-auto border-b border-mist">
      <ul className="flex">
        {STAY_TABS.filter(({ right = 'sejours' }) => may([right])).map((tab) => {
          const address = tabAddress(tab, stay.id);
          return (
            <li key={tab.key} className="shrink-0">
              <Link
                to={address}
                className="tab"
                aria-current={tab.key === current ? 'page' : undefined}
                ref={tab.key === current ? showInTabs : undefined}
              >
                {tab.label}
                {needs.filter(({ to }) => to === address).map(counted)}
              </Link>
            </li>
          );
        })}
      </ul>
    </nav>
  );
}

/** Beside the name of a tab: how many there are, or what somebody has to see to. */
function counted({ key, state, short, text }: Need) {
  const isMissing = state === 'missing';
  if (!isMissing && !/^\d+$/.test(short)) return null;
  return (
    <span key={key} className={isMissing ? 'tab-count missing' : 'tab-count'}>
      <span aria-hidden="true">{short}</span>
      <span className="sr-only">, {text}</span>
    </span>
  );
}

/** Scrolls the tabs, on a narrow screen, to show the current one, without scrolling the page. */
function showInTabs(link: HTMLElement | null): void {
  const nav = link?.closest('nav');
  if (link && nav) nav.scrollLeft = link.offsetLeft - (nav.clientWidth - link.offsetWidth) / 2;
}
