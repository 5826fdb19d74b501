import { useEffect, useMemo, useState, useSyncExternalStore } from 'react';
import { DAY_MS } from '#platform/shared/time.ts';
import { createListeners } from '#platform/web/listeners.ts';

/*
 * What this device remembers of the photos of a stay, and the server never learns: the favourites, and up to which photo
 * somebody has seen them. A browser that refuses storage remembers nothing.
 */

interface Keepsake {
  /** Ids of photos. */
  favoris: readonly number[];
  /** Publication of the latest photo that was shown here; blank when there was none. */
  vu: string;
  /** The same as the visit began: what was published since is new. */
  avant: string;
  /** When the device was last here. */
  le: string;
}

const PREFIX = 'photos-du-sejour:';
/** Time, in ms, after which one who comes back comes for another visit. */
const VISIT_MS = 30 * 60_000;
/** Days after which nothing is remembered: photos stay for a year at most. */
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
    // No room, no wish: the page goes on without.
  }
  tell();
}

/** The favourites of this device among the photos of a stay. */
export function useFavourites(stageId: number): {
  ids: ReadonlySet<number>;
  put(ids: readonly number[], isFavourite: boolean): void;
} {
  const text = useSyncExternalStore(
    subscribe,
    () => textOf(stageId),
    () => null,
  );
  return useMemo(() => {
    const ids = new Set(parse(text)?.favoris);
    return {
      ids,
      put: (changed, isFavourite) => {
        const next = new Set(ids);
        for (const id of changed) {
          if (isFavourite) next.add(id);
          else next.delete(id);
        }
        keep(stageId, { favoris: [...next] });
      },
    };
  }, [stageId, text]);
}

/**
 * From which publication on photos are new to this device; undefined until that is known. `latest`: the latest one that
 * is shown now, undefined while not all are known. Nothing is new to who comes for the first time.
 */
export function useNewSince(stageId: number, latest: string | undefined): string | undefined {
  const [since, setSince] = useState<string>();
  useEffect(() => {
    if (latest === undefined) return;
    const known = parse(textOf(stageId));
    const isSameVisit = known !== undefined && Date.now() - Date.parse(known.le) < VISIT_MS;
    const avant = known === undefined ? latest : isSameVisit ? known.avant : known.vu;
    keep(stageId, { vu: latest, avant });
    setSince(avant);
  }, [stageId, latest]);
  return since;
}

/** Forgets the stays whose photos are long gone. */
export function sweepKeepsakes(now: Date): void {
  const oldest = new Date(now.getTime() - KEPT_DAYS * DAY_MS).toISOString();
  try {
    for (const key of Object.keys(window.localStorage)) {
      if (!key.startsWith(PREFIX)) continue;
      if ((parse(window.localStorage.getItem(key))?.le ?? '') < oldest) window.localStorage.removeItem(key);
    }
  } catch {
    // Nothing is remembered there either.
  }
}
