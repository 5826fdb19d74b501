import type { QueryClient } from '@tanstack/react-query';
import { type ComponentType, lazy, useState } from 'react';
import type { About, Question } from '#platform/shared/page.ts';
import type { Need, PasswordType, Right } from '#platform/shared/roles.ts';
import { answersAt } from './api.ts';
import type { AskedAs } from './session.ts';

export interface LazyPage {
  (): React.JSX.Element;
  /** Loads the chunk so that the page renders at once: called before rendering on the server and before hydration. */
  preload(): Promise<void>;
}

/** A page in a chunk of its own, fetched when first needed. */
export function lazyPage(load: () => Promise<ComponentType>): LazyPage {
  let Loaded: ComponentType | undefined;
  const Later = lazy(async () => {
    Loaded = await load().catch(openAnew);
    return { default: Loaded };
  });
  function Page() {
    // Chosen once per mount: switching from one to the other would mount the page anew and empty its forms.
    const [Shown] = useState(() => Loaded ?? Later);
    return <Shown />;
  }
  Page.preload = async () => {
    Loaded ??= await load();
  };
  return Page;
}

/** A page that was opened so long ago, in ms, may be of an earlier version of the site, whose chunks are gone. */
const OLD_MS = 10_000;

/** Opens the address anew when a chunk is gone since the site was updated. Throws `error` when it has another cause. */
async function openAnew(error: unknown): Promise<never> {
  // One that was just opened is of this version: to open it again would never end.
  if (performance.now() < OLD_MS) throw error;
  if (!(await answersAt(location.href))) throw error;
  location.reload();
  return new Promise(() => {});
}

/** A page: its address, its title, and where it is rendered. */
export interface Page {
  path: string;
  /** Name of the query parameter that distinguishes it from another page of the same path. */
  query?: string;
  /** Its title, until its answers give a better one. */
  title: string;
  /** False for pages behind a sign-in: only the browser renders them, but for those that say `visits`. */
  isRendered: boolean;
  /** True for pages that draw their own bar in place of the public one. */
  hasOwnBar?: true;
  Component: LazyPage;
  /** `import.meta.env.SSR && {…}`: what only the server uses is absent from the browser's bundle. */
  server: false | PageContent;
}

/** The address of the form of one item, on a page of the portal; which form it is stands in the `ItemPanel`. */
export type ItemPage = Pick<Page, 'path' | 'title'>;

/** The path parameters and the query of an address. */
export type Place = Record<string, string | undefined>;

/** The part of a page that only the server uses. */
export interface PageContent {
  /** Its source, by its path from the root, so that the server can name its chunk. */
  module: string;
  description: string;
  isIndexed: boolean;
  /** The address to index, for a page whose path has a parameter but that does not show one particular item. */
  firstAddress?: string;
  /** The query parameter that numbers its pages; the first one needs none. */
  numberedBy?: string;
  /** The calls whose answers it shows. */
  questions?(place: Place): readonly Question[];
  /** Those whose answers it shows in place of one that does not exist. */
  questionsIfAbsent?: readonly Question[];
  /** For a page behind sign-ins to stays: it is rendered for whoever has their cookies. */
  visits?(place: Place): StayVisits | undefined;
  /** Title and description from the answers; undefined when these say that there is no such page (a 404). */
  about?(place: Place, answers: QueryClient): About | undefined;
}

/** The stays of a page, and the calls whose answers its first screen shows: a stay counts if all of them answer. */
export interface StayVisits {
  /** Undefined: every stay to which somebody is signed in as a family. */
  stageId?: number;
  /** In which role the page asks them. */
  as(stageId: number): AskedAs;
  questions(stageId: number, role: PasswordType): readonly Question[];
}

/** The groups of the portal's menu, in their order: what staff do most comes first. */
export const PANEL_GROUPS = [
  'Accueil',
  'Séjours',
  'Photos',
  'Familles et directeurs',
  'E-mails',
  'Contenus',
  'Équipe',
  'Réglages et santé',
] as const;
export type PanelGroup = (typeof PANEL_GROUPS)[number];

/** The right that opens the panels of a group; those of `Accueil` are open to all staff. */
const GROUP_RIGHTS: Partial<Record<PanelGroup, Right>> = {
  Séjours: 'sejours',
  Photos: 'photos',
  'Familles et directeurs': 'sejours',
  'E-mails': 'sejours',
  Contenus: 'contenus',
  Équipe: 'contenus',
  'Réglages et santé': 'reglages',
};

/** What opens a panel, one of them; undefined: it is open to all staff. */
export function rightsToOpen({
  group,
  rights,
}: Pick<Panel, 'group' | 'rights'>): readonly Need[] | undefined {
  if (rights) return rights === 'all' ? undefined : rights;
  const right = GROUP_RIGHTS[group];
  return right && [right];
}

export interface Panel {
  /** Used in the address `/portail?panneau=…`: it must not change. */
  key: string;
  group: PanelGroup;
  label: string;
  /** Sorts the panels of a group, the lowest first. */
  place: number;
  /** The key of the panel from which it is opened: the menu shows that one in its place. */
  within?: string;
  /** Other words by which people look for what it does, for the search. */
  words?: string | undefined;
  /** What opens it, one of them, or `all` for all staff; absent: the right of its group. */
  rights?: readonly Need[] | 'all';
  /** Fields of its form that the search leads to. */
  fields?: readonly { name: string; label: string; words?: string }[];
  Component: LazyPage;
}

/** The form of one item, on its own page; `panel` is the panel of the menu that leads there. */
export interface ItemPanel {
  path: string;
  panel: string;
  Component: LazyPage;
}
