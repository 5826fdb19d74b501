import type { PhotoVersion } from '#features/photos/shared/terms.ts';
import { DAY_MS } from '#platform/shared/time.ts';
import { keeperToken } from '#platform/web/session.ts';

/*
 * The photos that somebody chose to send and that have not all arrived, kept on this device under the stay they are
 * for: a closed tab must not lose them. The only door to the database of browsers. A browser without one keeps nothing,
 * and everything else works.
 */

export interface KeptPhoto {
  /** Whose: see `trayName`. */
  tray: string;
  /** Chosen at random: the file may not have been read yet. */
  id: string;
  /** SHA-256 of the file; blank until it was read. */
  empreinte: string;
  nom: string;
  type: string;
  taille: number;
  /** A moment; blank when the file does not say. */
  prise_le: string;
  /** None until it was read, once it has arrived, and where there is no room for it. */
  file: Blob | undefined;
  /** A picture of it for the list. */
  small: Blob | undefined;
  /** Where the whole file goes on being sent. */
  address: string;
  has: PhotoVersion | undefined;
  isReceived: boolean;
  /** Why it failed, a French sentence; blank otherwise. */
  reason: string;
  /** Instant, in ms, at which it was chosen; a fraction keeps the order of those chosen together. */
  chosenAt: number;
}

const DATABASE = 'envoi';
const STORE = 'photos';
/** Browsers have been known to say neither yes nor no: nobody has to wait for that to send, or to sign out. */
const OPENS_WITHIN_MS = 5_000;
/** Bytes that are left to the rest of the device. */
const SPARED = 100 * 1024 * 1024;
/** Time, in ms, for which photos wait for whoever chose them to sign in again. */
const KEPT_MS = 30 * DAY_MS;

export function queueName(stageId: number, as: 'stay' | 'portal'): string {
  return `${as}:${stageId}`;
}

let opened: Promise<IDBDatabase> | undefined;

function open(): Promise<IDBDatabase> {
  opened ??= new Promise((resolve, reject) => {
    const request = indexedDB.open(DATABASE, 1);
    request.onupgradeneeded = () => {
      request.result.createObjectStore(STORE, { keyPath: ['tray', 'id'] });
    };
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
    setTimeout(() => reject(new Error('the database does not open')), OPENS_WITHIN_MS);
  });
  return opened;
}

async function within<T>(
  mode: IDBTransactionMode,
  work: (store: IDBObjectStore) => IDBRequest<T> | undefined,
): Promise<T | undefined> {
  try {
    const transaction = (await open()).transaction(STORE, mode);
    const request = work(transaction.objectStore(STORE));
    return await new Promise((resolve, reject) => {
      transaction.oncomplete = () => resolve(request?.result);
      transaction.onabort = transaction.onerror = () => reject(transaction.error);
    });
  } catch {
    return undefined;
  }
}

const ofTray = (tray: string) => IDBKeyRange.bound([tray], [tray, []]);

/** In the order in which they were chosen; undefined when the browser does not answer. */
export async function readQueue(tray: string): Promise<KeptPhoto[] | undefined> {
  const found: KeptPhoto[] | undefined = await within('readonly', (store) => store.getAll(ofTray(tray)));
  return found?.sort((one, other) => one.chosenAt - other.chosenAt);
}

/** Keeps that these were chosen, all at once and without their files: the page may be closed before one was read. */
export async function keepNames(photos: readonly KeptPhoto[]): Promise<void> {
  await within('readwrite', (store) => {
    const requests = photos.map((photo) => store.put({ ...photo, file: undefined }));
    return requests[0];
  });
}

/** Without its file, when the device has no room for that. */
export async function keepPhoto(photo: KeptPhoto): Promise<void> {
  if (photo.file && (await hasRoomFor(photo.file.size))) {
    if ((await within('readwrite', (store) => store.put(photo))) !== undefined) return;
  }
  await keepNames([photo]);
}

async function hasRoomFor(bytes: number): Promise<boolean> {
  try {
    const { quota = 0, usage = 0 } = await navigator.storage.estimate();
    return quota - usage > bytes + SPARED;
  } catch {
    return false;
  }
}

export async function dropPhoto(tray: string, id: string): Promise<void> {
  await within('readwrite', (store) => store.delete([tray, id]));
}

export async function dropQueue(tray: string): Promise<void> {
  await within('readwrite', (store) => store.delete(ofTray(tray)));
}

/** What tells how many photos have not arrived, of the trays that this page sends. */
const here = new Map<string, () => number>();

/** Lets a tray that this page sends say itself what has not arrived: it may be kept nowhere else. */
export function sendsHere(tray: string, countUnsent: () => number): void {
  here.set(tray, countUnsent);
}

export function sendsElsewhere(tray: string): void {
  here.delete(tray);
}

function isSignedInFor(tray: string): boolean {
  const [as, stageId] = tray.split(':');
  return keeperToken(Number(stageId), as === 'portal' ? 'portal' : 'stay') !== undefined;
}

/** The trays of whoever is signed in on this device; those of a sign-in that has ended wait for it. */
export async function listQueues(): Promise<string[]> {
  const keys = (await within('readonly', (store) => store.getAllKeys())) ?? [];
  const kept = keys.map((key) => String((key as string[])[0]));
  return [...new Set([...kept, ...here.keys()])].filter(isSignedInFor);
}

/** How many photos of a stay have not arrived. */
export async function countUnsent(tray: string): Promise<number> {
  const inPage = here.get(tray);
  if (inPage) return inPage();
  return ((await readQueue(tray)) ?? []).filter(({ isReceived }) => !isReceived).length;
}

/** Drops what was chosen long ago for stays that nobody is signed in to any more. */
export async function sweepQueues(): Promise<void> {
  const kept: KeptPhoto[] = (await within('readonly', (store) => store.getAll())) ?? [];
  const oldest = Date.now() - KEPT_MS;
  for (const { tray, id, chosenAt } of kept) {
    if (chosenAt < oldest && !isSignedInFor(tray)) await dropPhoto(tray, id);
  }
}

/**
 * Holds a lock that one tab has at a time: `onHeld` once it is this one's, `onLost` when another tab takes it. Browsers
 * without locks give it at once. What is returned gives it back.
 */
export function holdLock(
  name: string,
  { isTaken, onHeld, onLost }: { isTaken: boolean; onHeld(): void; onLost(): void },
): () => void {
  const { locks } = navigator;
  if (!locks) {
    onHeld();
    return () => {};
  }
  const controller = new AbortController();
  let release = () => {};
  let isOver = false;
  const held = () => {
    if (isOver) return;
    onHeld();
    return new Promise<void>((resolve) => {
      release = resolve;
    });
  };
  // One that is taken by force cannot be waited for as well.
  const options = isTaken ? { steal: true } : { signal: controller.signal };
  locks.request(name, options, held).catch(() => {
    if (!isOver) onLost();
  });
  return () => {
    isOver = true;
    controller.abort();
    release();
  };
}

/** Keeps the screen on while something leaves, where browsers can. */
export class Wakefulness {
  private lock: Promise<WakeLockSentinel | undefined> | undefined;

  set(isWanted: boolean): void {
    if (!isWanted) {
      void this.lock?.then((lock) => lock?.release()).catch(() => {});
      this.lock = undefined;
      return;
    }
    // It ends by itself when the page is hidden, and when the battery is low.
    if (document.visibilityState !== 'visible') return;
    this.lock ??= navigator.wakeLock?.request('screen').then(
      (lock) => {
        lock.addEventListener('release', () => {
          this.lock = undefined;
        });
        return lock;
      },
      () => undefined,
    );
  }
}
