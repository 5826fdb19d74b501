import { DAY_MS } from '#platform/shared/time.ts';

/*
 * Texts that somebody typed and nobody has saved, kept on this device under their name: an error, an ended
 * session or a closed tab must not take them away. A browser that refuses storage keeps none.
 */

export interface Draft {
  /** Texts by the form's names. */
  values: Record<string, string>;
  /** The texts that the form was drawn from, and their version. */
  base: Record<string, string>;
  version: number | undefined;
  /** Instant of the last key. */
  savedAt: string;
}

const PREFIX = 'brouillon:';
/** Days after which a draft that nobody came back to is dropped. */
const KEPT_DAYS = 60;

/** Where a draft lies: whose it is, and of what. */
export function draftKey(username: string, genre: string, id: number | undefined): string {
  return `${PREFIX}${username}:${genre}:${id ?? 'nouveau'}`;
}

export function readDraft(key: string): Draft | undefined {
  try {
    const found: unknown = JSON.parse(window.localStorage.getItem(key) ?? 'null');
    return isDraft(found) ? found : undefined;
  } catch {
    return undefined;
  }
}

/** What lies there may have been written by an older version, or by hand. */
function isDraft(found: unknown): found is Draft {
  const { values, base, savedAt } = (found ?? {}) as Partial<Record<keyof Draft, unknown>>;
  const isTexts = (one: unknown) =>
    typeof one === 'object' && one !== null && Object.values(one).every((text) => typeof text === 'string');
  return (
    isTexts(values) && isTexts(base) && typeof savedAt === 'string' && !Number.isNaN(Date.parse(savedAt))
  );
}

/** False when the browser has no room or no wish for it. */
export function keepDraft(key: string, draft: Draft): boolean {
  try {
    window.localStorage.setItem(key, JSON.stringify(draft));
    return true;
  } catch {
    return false;
  }
}

export function dropDraft(key: string): void {
  try {
    window.localStorage.removeItem(key);
  } catch {
    // Nothing was kept there either.
  }
}

/** Drops the drafts that are too old to be missed. */
export function sweepDrafts(now: Date): void {
  const oldest = new Date(now.getTime() - KEPT_DAYS * DAY_MS).toISOString();
  try {
    for (const key of Object.keys(window.localStorage)) {
      if (key.startsWith(PREFIX) && (readDraft(key)?.savedAt ?? '') < oldest) dropDraft(key);
    }
  } catch {
    // No storage, no drafts.
  }
}
