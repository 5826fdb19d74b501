import { useEffect, useRef, useState } from 'react';
import { DAY_MS } from '#platform/shared/time.ts';
import { useUnsaved } from './ui/dialogs.tsx';

/*
 * Drafts: unsaved texts of forms, stored on this device per user, so that an error, an ended session or a closed tab
 * does not lose them. A browser that refuses storage has none.
 */

interface Draft {
  /** Texts by field name. */
  values: Record<string, string>;
  /** The stored texts that the form started from, and their version. */
  base: Record<string, string>;
  version: number | undefined;
  /** Instant at which the draft was written. */
  savedAt: string;
}

const PREFIX = 'brouillon:';
/** Days that a draft is kept after its last change. */
const KEPT_DAYS = 60;

/** The storage key of a draft: whose it is, and of which content. */
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

/** Checks what was read: it may have been written by an older version, or by hand. */
function isDraft(found: unknown): found is Draft {
  const { values, base, savedAt } = (found ?? {}) as Partial<Record<keyof Draft, unknown>>;
  const isTexts = (one: unknown) =>
    typeof one === 'object' && one !== null && Object.values(one).every((text) => typeof text === 'string');
  return (
    isTexts(values) && isTexts(base) && typeof savedAt === 'string' && !Number.isNaN(Date.parse(savedAt))
  );
}

/** Stores a draft; returns false when the browser has no room or refuses storage. */
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
    // Without storage there is nothing to remove.
  }
}

export function countDrafts(): number {
  try {
    return Object.keys(window.localStorage).filter((key) => key.startsWith(PREFIX)).length;
  } catch {
    return 0;
  }
}

export function sweepDrafts(now: Date): void {
  const oldest = new Date(now.getTime() - KEPT_DAYS * DAY_MS).toISOString();
  try {
    for (const key of Object.keys(window.localStorage)) {
      if (key.startsWith(PREFIX) && (readDraft(key)?.savedAt ?? '') < oldest) dropDraft(key);
    }
  } catch {
    // Without storage there are no drafts.
  }
}

const KEPT_DRAFT = 'Votre texte reste en brouillon sur cet appareil\u202f: vous le retrouverez en revenant.';
/** Time, in ms, between a keystroke and the write of the draft. */
const PAUSE_MS = 400;

/**
 * The texts of a form: those of the draft found on this device, or those stored on the server. `generation` changes
 * whenever `values` are replaced from outside the fields, which must then be rendered anew.
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
  /** The `savedAt` of the draft that this form found, or wrote last. */
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
    // Another tab may be writing its own draft under this key. Comparing `savedAt` tells; comparing texts would not,
    // as this form's may be newer than its last written draft.
    if (readDraft(key)?.savedAt === ours.current) dropDraft(key);
    typed.current = undefined;
    setDirty(false);
  }

  return {
    values: start.values,
    /** The stored texts that `values` started from. */
    base: start.base,
    version: start.version,
    /** When the draft shown was written, if the form started from one. */
    foundAt: start.foundAt,
    generation: start.generation,
    /** False when this browser refused to store the draft. */
    isKept,
    /** The texts that the fields hold now. */
    current: () => typed.current ?? start.values,
    typed(values: Record<string, string>): void {
      typed.current = values;
      setDirty(true);
      timer.current ??= window.setTimeout(() => latest.current(), PAUSE_MS);
    },
    /** Puts other texts into the fields; `base` and `version` are the stored ones that they start from. */
    replace(values: Record<string, string>, base: Record<string, string>, version: number): void {
      typed.current = values;
      setDirty(true);
      setStart({ values, base, version, foundAt: undefined, generation: start.generation + 1 });
      timer.current ??= window.setTimeout(() => latest.current(), PAUSE_MS);
    },
    /** Removes the draft and goes back to the stored texts. */
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
    /** Removes the draft, once the server has saved the texts. */
    drop: forget,
  };
}

export type DraftState = ReturnType<typeof useDraft>;
