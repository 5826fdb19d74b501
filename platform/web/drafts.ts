import { useEffect, useRef, useState } from 'react';
import { DAY_MS } from '#platform/shared/time.ts';
import { useUnsaved } from './ui/unsaved.ts';

/*
 * Texts that somebody typed and nobody has saved, kept on this device under their name: an error, an ended
 * session or a closed tab must not take them away. A browser that refuses storage keeps none.
 */

interface Draft {
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

function readDraft(key: string): Draft | undefined {
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
function keepDraft(key: string, draft: Draft): boolean {
  try {
    window.localStorage.setItem(key, JSON.stringify(draft));
    return true;
  } catch {
    return false;
  }
}

function dropDraft(key: string): void {
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

const KEPT_DRAFT = 'Votre texte reste en brouillon sur cet appareil\u202f: vous le retrouverez en revenant.';
/** Time, in ms, between a key and its keeping. */
const PAUSE_MS = 400;

/**
 * The texts of a form: those of the draft found on this device, or those stored. `generation` changes whenever
 * `values` were replaced from outside the fields, which are then drawn anew.
 */
export function useDraft(key: string, stored: Record<string, string>, storedVersion: number | undefined) {
  const [start, setStart] = useState(() => {
    const found = readDraft(key);
    return {
      values: { ...stored, ...found?.values },
      base: found?.base ?? stored,
      version: found?.version ?? storedVersion,
      foundAt: found?.savedAt,
      generation: 0,
    };
  });
  const [isDirty, setDirty] = useState(start.foundAt !== undefined);
  const [isKept, setKept] = useState(true);
  const typed = useRef<Record<string, string> | undefined>(undefined);
  const timer = useRef<number>(undefined);
  /** When the draft was kept that this form found, or kept last. */
  const ours = useRef(start.foundAt);
  useUnsaved(isDirty, isKept ? KEPT_DRAFT : undefined);

  const keep = () => {
    window.clearTimeout(timer.current);
    timer.current = undefined;
    if (!typed.current) return;
    const { base, version } = start;
    const savedAt = new Date().toISOString();
    const isWritten = keepDraft(key, { values: typed.current, base, version, savedAt });
    if (isWritten) ours.current = savedAt;
    setKept(isWritten);
  };
  const latest = useRef(keep);
  useEffect(() => {
    latest.current = keep;
  });
  useEffect(() => {
    const keepNow = () => timer.current !== undefined && latest.current();
    window.addEventListener('pagehide', keepNow);
    document.addEventListener('visibilitychange', keepNow);
    return () => {
      window.removeEventListener('pagehide', keepNow);
      document.removeEventListener('visibilitychange', keepNow);
      keepNow();
    };
  }, []);

  function forget(): void {
    window.clearTimeout(timer.current);
    timer.current = undefined;
    // Another tab may be writing one of its own under this name. Its texts would not tell: those of this form
    // may be newer than what was kept of them.
    if (readDraft(key)?.savedAt === ours.current) dropDraft(key);
    typed.current = undefined;
    setDirty(false);
  }

  return {
    values: start.values,
    /** What they were drawn from. */
    base: start.base,
    version: start.version,
    /** When what is shown was typed, if it came from this device. */
    foundAt: start.foundAt,
    generation: start.generation,
    /** False when this browser keeps nothing. */
    isKept,
    /** What the fields hold now. */
    current: () => typed.current ?? start.values,
    typed(values: Record<string, string>): void {
      typed.current = values;
      setDirty(true);
      timer.current ??= window.setTimeout(() => latest.current(), PAUSE_MS);
    },
    /** Puts other texts into the fields, drawn from `version`. */
    replace(values: Record<string, string>, base: Record<string, string>, version: number): void {
      typed.current = values;
      setDirty(true);
      setStart({ values, base, version, foundAt: undefined, generation: start.generation + 1 });
      timer.current ??= window.setTimeout(() => latest.current(), PAUSE_MS);
    },
    /** Back to what is stored. */
    discard(): void {
      forget();
      setStart({
        values: stored,
        base: stored,
        version: storedVersion,
        foundAt: undefined,
        generation: start.generation + 1,
      });
    },
    /** The server has it: nothing is left to keep. */
    drop: forget,
  };
}

export type DraftState = ReturnType<typeof useDraft>;
