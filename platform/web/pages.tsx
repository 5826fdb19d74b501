import type { QueryClient } from '@tanstack/react-query';
import { type ComponentType, lazy, useState } from 'react';
import type { About, Question } from '#platform/shared/page.ts';

export interface LazyPage {
  (): React.JSX.Element;
  /** After it, the page renders at once: on the server before rendering, in the browser before it takes over. */
  preload(): Promise<void>;
}

/** A page in a chunk of its own, fetched when first needed. */
export function lazyPage(load: () => Promise<ComponentType>): LazyPage {
  let Loaded: ComponentType | undefined;
  const Later = lazy(async () => {
    Loaded = await load();
    return { default: Loaded };
  });
  function Page() {
    // Once for as long as it is shown: a change from the one to the other would draw the page anew, and empty it.
    const [Shown] = useState(() => Loaded ?? Later);
    return <Shown />;
  }
  Page.preload = async () => {
    Loaded ??= await load();
  };
  return Page;
}

/** A page: its address, its name, and where it is drawn. What only the server asks of it is its `PageContent`. */
export interface Page {
  path: string;
  /** The name of the query that tells it from another page of the same path. */
  query?: string;
  /** Its name, until its answers know a better one. */
  title: string;
  /** False for what stands behind a sign-in: the server knows nobody's token, the browser draws it. */
  isRendered: boolean;
  /** Its source, by its path from the root, so that the server can name its chunk. */
  module: string;
  Component: LazyPage;
}

/** What the address says beside the page: parts of its path, and its query. */
export type Place = Record<string, string | undefined>;

/**
 * What only the server asks of a page, by its source: kept out of browsers, which would fetch it with every page.
 */
export interface PageContent {
  description: string;
  isIndexed: boolean;
  /** Where it begins, when its address has a part that changes and it is nobody's page in particular. */
  firstAddress?: string;
  /** The calls whose answers it shows. */
  questions?(place: Place): readonly Question[];
  /** What the answers make of it; undefined when they say that there is no such page, which is then a 404. */
  about?(place: Place, answers: QueryClient): About | undefined;
}

/** A panel of the portal, in a group of its menu. */
export interface Panel {
  /** In the address, `/portail?panneau=…`: it must not change. */
  key: string;
  group: string;
  label: string;
  /** Its place in the menu: groups and panels stand in the order of these. */
  place: number;
  Component: LazyPage;
}

/** The groups of the menu. */
export const GROUPS = {
  staff: 'Équipe',
  content: 'Contenus',
  stays: 'Séjours et familles',
  administration: 'Administration',
} as const;

/** The form of one thing, on a page of its own; `panel` is the one of the menu that leads there. */
export interface ItemPanel {
  path: string;
  panel: string;
  Component: LazyPage;
}
