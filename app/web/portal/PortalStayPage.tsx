import { CircleCheck, Eye, TriangleAlert } from 'lucide-react';
import type { Preparation } from '#features/dashboard/calls.ts';
import { momentOf, needsOf, rightOf } from '#features/dashboard/web/Board.tsx';
import { BackToList } from '#features/stays/web/StaySelect.tsx';
import { OnlyStayProvider, tabAddress } from '#features/stays/web/stayPage.tsx';
import { familyViewAddress } from '#features/stays/web/stays.ts';
import { rangeOf } from '#platform/shared/dates.ts';
import type { LazyPage } from '#platform/web/pages.tsx';
import { useMay } from '#platform/web/portal.ts';
import { useThing } from '#platform/web/questions.ts';
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
    <>
      <BackToList />
      <LoadState query={query} failed="Le séjour n’a pas pu être chargé.">
        {(found) => {
          const [stay] = found ?? [];
          if (!stay) return <NoStay />;
          return (
            <OnlyStayProvider id={id}>
              <Head stay={stay} />
              <Tabs id={id} current={shown?.key} />
              {Body && <Body />}
            </OnlyStayProvider>
          );
        }}
      </LoadState>
    </>
  );
}

function NoStay() {
  return (
    <>
      <h1 className="mb-6">Séjour introuvable</h1>
      <p className="well">Ce séjour n’existe pas ou n’existe plus.</p>
    </>
  );
}

function Head({ stay }: { stay: Preparation }) {
  const { locale, today } = useSite();
  const may = useMay();
  useTitle(stay.nom_stage);
  return (
    <header className="mb-5">
      <h1 className="wrap-anywhere">{stay.nom_stage}</h1>
      <p className="mt-1 flex flex-wrap items-center gap-x-4 text-quiet">
        <span>
          <span className="inline-block first-letter:uppercase">
            {rangeOf(stay.date_debut, stay.date_fin, locale)}
          </span>
          , {momentOf(stay, today)} · séjour n° {stay.id}
        </span>
        {may(['photos']) && (
          <Link className="inline-flex min-h-11 items-center gap-2" to={familyViewAddress(stay.id)}>
            <Eye className="size-4" />
            Voir comme une famille
          </Link>
        )}
      </p>
      <ul className="mt-2 flex flex-wrap gap-2" aria-label="Où en est ce séjour">
        {needsOf(stay, today)
          .filter(({ key, state }) => state !== 'none' && may([rightOf(key)]))
          .map(({ key, state, text, to }) => (
            <li key={key}>
              <Link
                to={to}
                className={`flex min-h-11 items-center gap-2 rounded-full border px-4 text-sm text-ink no-underline hover:bg-mist ${state === 'missing' ? 'border-2 border-sun bg-card font-semibold' : 'border-edge'}`}
              >
                {state === 'missing' ? (
                  <TriangleAlert className="size-4 shrink-0" />
                ) : (
                  <CircleCheck className="size-4 shrink-0 text-moss" />
                )}
                {text}
              </Link>
            </li>
          ))}
      </ul>
    </header>
  );
}

function Tabs({ id, current }: { id: number; current: string | undefined }) {
  const may = useMay();
  return (
    <nav aria-label="Ce séjour" className="mb-8 overflow-x-auto border-b border-mist">
      <ul className="flex gap-1">
        {STAY_TABS.filter(({ right = 'sejours' }) => may([right])).map((tab) => (
          <li key={tab.key} className="shrink-0">
            <Link
              to={tabAddress(tab, id)}
              className="tab"
              aria-current={tab.key === current ? 'page' : undefined}
              ref={tab.key === current ? showInTabs : undefined}
            >
              {tab.label}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}

/** Scrolls the tabs, on a narrow screen, to show the current one, without scrolling the page. */
function showInTabs(link: HTMLElement | null): void {
  const nav = link?.closest('nav');
  if (link && nav) nav.scrollLeft = link.offsetLeft - (nav.clientWidth - link.offsetWidth) / 2;
}
