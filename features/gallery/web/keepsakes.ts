import { useEffect, useLayoutEffect, useMemo, useState, useSyncExternalStore } from 'react';
import { DAY_MS } from '#platform/shared/time.ts';
import { createListeners } from '#platform/web/session.ts';
import { useIsRendered } from '#platform/web/ui/inBrowser.tsx';

/*
 * What this device remembers of the photos of a stay, and never sends to the server: the favourites, and the last photo
 * that was seen. A browser that refuses storage remembers nothing.
 */

interface Keepsake {
  favoris: readonly number[];
  /** Publication time of the latest photo shown here; blank when there was none. */
  vu: string;
  /** Value of `vu` when the current visit began: photos published after it are new. */
  avant: string;
  /** Time of the last activity on this device. */
  le: string;
}

const PREFIX = 'photos-du-sejour:';
/** Time, in ms, without activity after which a new visit begins. */
const VISIT_MS = 30 * 60_000;
/** Days after which a stay is forgotten: photos stay for a year at most. */
const KEPT_DAYS = 400;

const { tell, subscribe } = createListeners();

function textOf(stageId: number): string | null {
  try {
    return window.localStorage.getItem(PREFIX + stageId);
  } catch {
    return null;
  }
}

function parse(text: string | null): Keepsake | undefined {
  try {
    const { favoris, vu, avant, le } = (JSON.parse(text ?? '{}') ?? {}) as Record<keyof Keepsake, unknown>;
    if (!Array.isArray(favoris) || !favoris.every(Number.isInteger)) return undefined;
    if (typeof vu !== 'string' || typeof avant !== 'string' || typeof le !== 'string') return undefined;
    return { favoris, vu, avant, le };
  } catch {
    return undefined;
  }
}

function keep(stageId: number, change: Partial<Keepsake>): void {
  const le = new Date().toISOString();
  const known = parse(textOf(stageId)) ?? { favoris: [], vu: '', avant: '' };
  try {
    window.localStorage.setItem(PREFIX + stageId, JSON.stringify({ ...known, le, ...change }));
  } catch {
    // Storage is full or refused: the page goes on without it.
  }
  tell();
}

export interface Favourites {
  ids: ReadonlySet<number>;
  put(ids: readonly number[], isFavourite: boolean): void;
}

/** The ids with some of them put in, or taken out. */
export function withIds(ids: ReadonlySet<number>, changed: readonly number[], isIn: boolean): Set<number> {
  if (isIn) return new Set([...ids, ...changed]);
  const out = new Set(changed);
  return new Set([...ids].filter((id) => !out.has(id)));
}

export function useFavourites(stageId: number): Favourites {
  const text = useSyncExternalStore(
    subscribe,
    () => textOf(stageId),
    () => null,
  );
  return useMemo(() => {
    const ids = new Set(parse(text)?.favoris);
    return {
      ids,
      put: (changed, isFavourite) => keep(stageId, { favoris: [...withIds(ids, changed, isFavourite)] }),
    };
  }, [stageId, text]);
}

/**
 * Publication time after which photos are new to this device; undefined until known. `latest`: the latest publication
 * time shown now, undefined while the list is incomplete. On a first visit no photo is new.
 */
export function useNewSince(stageId: number, latest: string | undefined): string | undefined {
  const isRendered = useIsRendered();
  // Known before the first photos are drawn, so that the words about new ones do not push them down later; not by the
  // server, nor while what it rendered comes alive.
  const [since, setSince] = useState(() => (isRendered ? undefined : seenBefore(stageId)));
  useLayoutEffect(() => setSince(seenBefore(stageId)), [stageId]);
  useEffect(() => {
    if (latest === undefined) return;
    const avant = seenBefore(stageId) ?? latest;
    keep(stageId, { vu: latest, avant });
    setSince(avant);
  }, [stageId, latest]);
  return since;
}

/** Publication time of the latest photo shown before this visit; undefined on a first visit. */
function seenBefore(stageId: number): string | undefined {
  const known = parse(textOf(stageId));
  const isSameVisit = known !== undefined && Date.now() - Date.parse(known.le) < VISIT_MS;
  return isSameVisit ? known.avant : known?.vu;
}

/** What is remembered of each stay, by key; nothing where storage is refused. */
function listKeepsakes(): [key: string, Keepsake | undefined][] {
  try {
    const keys = Object.keys(window.localStorage).filter((key) => key.startsWith(PREFIX));
    return keys.map((key) => [key, parse(window.localStorage.getItem(key))]);
  } catch {
    return [];
  }
}

export function countFavourites(): number {
  return listKeepsakes().reduce((sum, [, known]) => sum + (known?.favoris.length ?? 0), 0);
}

export function sweepKeepsakes(now: Date): void {
  const oldest = new Date(now.getTime() - KEPT_DAYS * DAY_MS).toISOString();
  for (const [key, known] of listKeepsakes())
    if ((known?.le ?? '') < oldest) window.localStorage.removeItem(key);
}
