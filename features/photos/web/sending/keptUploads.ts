import type { PhotoVersion } from '#features/photos/shared/terms.ts';
import { keeperToken, type Viewer } from '#features/stays/web/sessions.ts';
import { DAY_MS } from '#platform/shared/time.ts';

/*
 * The upload queues, stored on this device per stay: a closed tab must not lose photos that have not all arrived. The
 * only module that uses IndexedDB. A browser without it stores nothing, and everything else works.
 */

export interface KeptPhoto {
  /** Name of its upload queue: see `queueName`. Stored under this name in browsers. */
  tray: string;
  /** Random: the file may not have been read yet. */
  id: string;
  /** SHA-256 of the file; blank until it was read. */
  empreinte: string;
  nom: string;
  type: string;
  taille: number;
  /** Capture time as a moment; blank when unknown. */
  prise_le: string;
  appareil?: string;
  /** Undefined until it was read, once it has arrived, and when the device has no room for it. */
  file: Blob | undefined;
  /** Thumbnail for the list. */
  small: Blob | undefined;
  /** Upload URL of the whole file, to resume it. */
  address: string;
  has: PhotoVersion | undefined;
  /** True when nothing of it is left to send: it has arrived or, with a reason, can never be taken. */
  isReceived: boolean;
  /** Why it failed or was refused, a French sentence; blank otherwise. */
  reason: string;
  /** Instant, in ms, at which it was chosen; a fraction keeps the order of those chosen together. */
  chosenAt: number;
}

const DATABASE = 'envoi';
const STORE = 'photos';
/** Time limit, in ms: some browsers never answer an open request, and sending or signing out must not wait for it. */
const OPENS_WITHIN_MS = 5_000;
/** Bytes of the storage quota that are left free. */
const SPARED = 100 * 1024 * 1024;
/** Time, in ms, for which photos are kept after a sign-in has ended, until somebody signs in to their stay again. */
const KEPT_MS = 30 * DAY_MS;

export function queueName(stageId: number, as: Viewer): string {
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

const ofQueue = (queue: string) => IDBKeyRange.bound([queue], [queue, []]);

/** The photos of a queue in the order in which they were chosen; undefined when the database does not answer. */
export async function readQueue(queue: string): Promise<KeptPhoto[] | undefined> {
  const found: KeptPhoto[] | undefined = await within('readonly', (store) => store.getAll(ofQueue(queue)));
  return found?.sort((one, other) => one.chosenAt - other.chosenAt);
}

/** Stores chosen photos in one transaction, without their files: the page may be closed before one was read. */
export async function keepNames(photos: readonly KeptPhoto[]): Promise<void> {
  await within('readwrite', (store) => {
    const requests = photos.map((photo) => store.put({ ...photo, file: undefined }));
    return requests[0];
  });
}

/** Stores a photo, without its file when the device has no room for it; resolves to whether its file is stored. */
export async function keepPhoto(photo: KeptPhoto): Promise<boolean> {
  if (photo.file && (await hasRoomFor(photo.file.size))) {
    if ((await within('readwrite', (store) => store.put(photo))) !== undefined) return true;
  }
  await keepNames([photo]);
  return false;
}

async function hasRoomFor(bytes: number): Promise<boolean> {
  try {
    const { quota = 0, usage = 0 } = await navigator.storage.estimate();
    return quota - usage > bytes + SPARED;
  } catch {
    return false;
  }
}

export async function dropPhoto(queue: string, id: string): Promise<void> {
  await within('readwrite', (store) => store.delete([queue, id]));
}

export async function dropQueue(queue: string): Promise<void> {
  await within('readwrite', (store) => store.delete(ofQueue(queue)));
}

/** Counters of photos that have not arrived, for the queues that this page sends. */
const here = new Map<string, () => number>();

/** Registers the counter of a queue that this page sends: its photos may be stored nowhere else. */
export function sendsHere(queue: string, countUnsent: () => number): void {
  here.set(queue, countUnsent);
}

export function sendsElsewhere(queue: string): void {
  here.delete(queue);
}

function isSignedInFor(queue: string): boolean {
  const [as, stageId] = queue.split(':');
  return keeperToken(Number(stageId), as === 'portal' ? 'portal' : 'stay') !== undefined;
}

/** Names of the queues whose sign-in is on this device; the others wait until somebody signs in again. */
export async function listQueues(): Promise<string[]> {
  const keys = (await within('readonly', (store) => store.getAllKeys())) ?? [];
  const kept = keys.map((key) => String((key as string[])[0]));
  return [...new Set([...kept, ...here.keys()])].filter(isSignedInFor);
}

/** Number of photos of a queue that have not arrived. */
export async function countUnsent(queue: string): Promise<number> {
  const inPage = here.get(queue);
  if (inPage) return inPage();
  return ((await readQueue(queue)) ?? []).filter(({ isReceived }) => !isReceived).length;
}

/** Number of photos that this device keeps for stays that nobody is signed in to any more. */
export async function countWaitingForSignIn(): Promise<number> {
  const kept: KeptPhoto[] = (await within('readonly', (store) => store.getAll())) ?? [];
  return kept.filter(({ tray, isReceived }) => !isReceived && !isSignedInFor(tray)).length;
}

/** Drops photos chosen more than `KEPT_MS` ago for stays that nobody is signed in to any more. */
export async function sweepQueues(): Promise<void> {
  const kept: KeptPhoto[] = (await within('readonly', (store) => store.getAll())) ?? [];
  const oldest = Date.now() - KEPT_MS;
  for (const { tray, id, chosenAt } of kept) {
    if (chosenAt < oldest && !isSignedInFor(tray)) await dropPhoto(tray, id);
  }
}

/** Time, in ms, that another tab has to give a lock back before it counts as its holder: a page being left ends late. */
const LEAVES_MS = 500;

interface LockListeners {
  onHeld(): void;
  /** Another tab holds it: this one waits for it. */
  onBusy(): void;
  /** Another tab took it from this one. */
  onLost(): void;
}

/**
 * Requests a lock that one tab holds at a time; `isTaken`: takes it from the tab that holds it. Without the Web Locks
 * API it is granted at once. Returns a function that releases it.
 */
export function holdLock(
  name: string,
  { isTaken, onHeld, onBusy, onLost }: LockListeners & { isTaken: boolean },
): () => void {
  const { locks } = navigator;
  if (!locks) {
    onHeld();
    return () => {};
  }
  const controller = new AbortController();
  let release = () => {};
  let isOver = false;
  let busyTimer: ReturnType<typeof setTimeout> | undefined;
  const request = (options: LockOptions) => {
    locks.request(name, options, held).catch(() => {
      if (!isOver) onLost();
    });
  };
  const held = (lock: Lock | null) => {
    clearTimeout(busyTimer);
    if (isOver) return;
    if (lock === null) {
      busyTimer = setTimeout(onBusy, LEAVES_MS);
      request({ signal: controller.signal });
      return;
    }
    onHeld();
    return new Promise<void>((resolve) => {
      release = resolve;
    });
  };
  request(isTaken ? { steal: true } : { ifAvailable: true });
  return () => {
    isOver = true;
    clearTimeout(busyTimer);
    controller.abort();
    release();
  };
}
