import type { PhotoVersion } from '#features/photos/shared/terms.ts';
import { keeperToken, type Viewer } from '#features/stays/web/sessions.ts';
import { DAY_MS } from '#platform/shared/time.ts';

/*
 * The upload queues, stored on this device per stay: a closed tab must not lose photos that have not all arrived. The
 * only module that uses IndexedDB. A browser without it stores nothing, and everything else works.
 *
 * Rows change with every step of a photo; its file is written once, as bytes, and deleted at the end. In WebKit a Blob that
 * is read from a database and written again is lost, and private windows take none.
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
  /** Camera that took it; blank when unknown. */
  appareil?: string;
  /** Where version 1.1.0 stored the file: see `moveFiles`. */
  file?: Blob | undefined;
  /** Thumbnail for the list, a data URL; version 1.1.0 stored a Blob. */
  small: string | Blob | undefined;
  /** Upload URL of the whole file, to resume it; blank: not begun. */
  address: string;
  has: PhotoVersion | undefined;
  /** True when nothing of it is left to send: it has arrived or, with a reason, can never be taken. */
  isReceived: boolean;
  /** Why it failed or was refused, a French sentence; blank otherwise. */
  reason: string;
  /** Instant, in ms, at which it was chosen; a fraction keeps the order of those chosen together. */
  chosenAt: number;
}

/**
 * The stores, each in a database of its own: a page of version 1.1.0, which holds the first one open for as long as it is
 * open itself, would keep us from adding the second to it.
 */
const STORES = {
  photos: { database: 'envoi', keyPath: ['tray', 'id'] },
  fichiers: { database: 'envoi-fichiers', keyPath: null },
};
type Store = keyof typeof STORES;
/**
 * Time limit, in ms: some browsers never answer an open request, and sending or signing out must not wait for it; a busy
 * phone takes seconds, and who gives up too early says that photos are gone which are there.
 */
const OPENS_WITHIN_MS = 15_000;
/** Why a photo failed whose file is gone from the device. */
export const UNREADABLE = 'Ce fichier ne se lit plus sur cet appareil\u202f: choisissez-le de nouveau.';
/** Bytes of the storage quota that are left free, for the rows of photos whose files have no room. */
const SPARED = 20 * 1024 * 1024;
/** Time, in ms, for which photos are kept after a sign-in has ended, until somebody signs in to their stay again. */
const KEPT_MS = 30 * DAY_MS;

export function queueName(stageId: number, as: Viewer): string {
  return `${as}:${stageId}`;
}

const opened: Partial<Record<Store, Promise<IDBDatabase>>> = {};

function open(name: Store): Promise<IDBDatabase> {
  const { database, keyPath } = STORES[name];
  opened[name] ??= new Promise((resolve, reject) => {
    const request = indexedDB.open(database, 1);
    request.onupgradeneeded = () => {
      request.result.createObjectStore(name, { keyPath });
    };
    request.onsuccess = () => {
      // Safari loses what it had opened when it was in the background for long.
      request.result.onclose = () => delete opened[name];
      // Too late for whoever asked first, perhaps, and not for the next.
      opened[name] = Promise.resolve(request.result);
      resolve(request.result);
    };
    request.onerror = () => reject(request.error);
    setTimeout(() => reject(new Error('the database does not open')), OPENS_WITHIN_MS);
  });
  return opened[name];
}

async function within<T>(
  name: Store,
  mode: IDBTransactionMode,
  work: (store: IDBObjectStore) => IDBRequest<T> | undefined,
): Promise<T | undefined> {
  try {
    const transaction = (await open(name)).transaction(name, mode);
    const request = work(transaction.objectStore(name));
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
async function readQueue(queue: string): Promise<KeptPhoto[] | undefined> {
  const found: KeptPhoto[] | undefined = await within('photos', 'readonly', (store) =>
    store.getAll(ofQueue(queue)),
  );
  return found?.sort((one, other) => one.chosenAt - other.chosenAt);
}

/**
 * Like `readQueue`, for the tab that sends them, and with whether their files are stored. Files that version 1.1.0 stored
 * in rows are moved out of them first, and those that no photo waits for any longer are dropped.
 */
export async function takeUpQueue(queue: string): Promise<(KeptPhoto & { isKept: boolean })[] | undefined> {
  const photos = await readQueue(queue);
  if (!photos) return undefined;
  // One after the other, because each is held in memory meanwhile.
  for (const photo of photos) if (photo.file) await moveFile(photo, photo.file);
  const keys = (await within('fichiers', 'readonly', (store) => store.getAllKeys(ofQueue(queue)))) ?? [];
  const stored = new Set(keys.map((key) => String((key as string[])[1])));
  const taken = photos.map((photo) => ({ ...photo, isKept: !photo.isReceived && stored.has(photo.id) }));
  for (const { id, isKept } of taken) if (isKept) stored.delete(id);
  for (const id of stored) await dropFile(queue, id);
  return taken;
}

/** Where there is no room for it, it stays in its row, and with this page. */
async function moveFile(photo: KeptPhoto, file: Blob): Promise<void> {
  try {
    if (!(await keepFile(photo.tray, photo.id, await file.arrayBuffer()))) return;
  } catch {
    photo.reason ||= UNREADABLE;
  }
  photo.file = photo.small = undefined;
  await keepPhotos([photo]);
}

/** Stores photos in one transaction, without their files; resolves to whether they are stored. */
export async function keepPhotos(photos: readonly KeptPhoto[]): Promise<boolean> {
  const put = (store: IDBObjectStore) => photos.map((photo) => store.put(photo))[0];
  return (await within('photos', 'readwrite', put)) !== undefined;
}

/** Stores the file of a photo; resolves to false when the device has no room for it. */
export async function keepFile(queue: string, id: string, bytes: ArrayBuffer): Promise<boolean> {
  if (!(await hasRoomFor(bytes.byteLength))) return false;
  return (await within('fichiers', 'readwrite', (store) => store.put(bytes, [queue, id]))) !== undefined;
}

/** The stored file of a photo; undefined when it is not stored, or cannot be read. */
export async function readFile(queue: string, id: string): Promise<Blob | undefined> {
  const bytes = await within('fichiers', 'readonly', (store) => store.get([queue, id]));
  return bytes && new Blob([bytes]);
}

/** Where a browser does not say how much it may store, that is known only once it stores no more. */
async function hasRoomFor(bytes: number): Promise<boolean> {
  const { quota, usage = 0 } = (await navigator.storage?.estimate?.().catch(() => undefined)) ?? {};
  return quota === undefined || quota - usage > bytes + SPARED;
}

export async function dropFile(queue: string, id: string): Promise<void> {
  await within('fichiers', 'readwrite', (store) => store.delete([queue, id]));
}

/** Drops a photo of a queue, or all of them, with their files. */
export async function dropPhotos(queue: string, id?: string): Promise<void> {
  const which = id === undefined ? ofQueue(queue) : [queue, id];
  for (const name of ['photos', 'fichiers'] as const)
    await within(name, 'readwrite', (store) => store.delete(which));
}

/** Counters of photos that have not arrived, for the queues that this page sends. */
const here = new Map<string, () => number>();

/** Sets the counter of a queue that this page sends, whose photos may be stored nowhere else; undefined: it does not. */
export function sendsHere(queue: string, countUnsent: (() => number) | undefined): void {
  if (countUnsent) here.set(queue, countUnsent);
  else here.delete(queue);
}

function isSignedInFor(queue: string): boolean {
  const [as, stageId] = queue.split(':');
  return keeperToken(Number(stageId), as === 'portal' ? 'portal' : 'stay') !== undefined;
}

/** Names of the queues whose sign-in is on this device; the others wait until somebody signs in again. */
export async function listQueues(): Promise<string[]> {
  const keys = (await within('photos', 'readonly', (store) => store.getAllKeys())) ?? [];
  const kept = keys.map((key) => String((key as string[])[0]));
  return [...new Set([...kept, ...here.keys()])].filter(isSignedInFor);
}

export async function countUnsent(queue: string): Promise<number> {
  const inPage = here.get(queue);
  if (inPage) return inPage();
  return ((await readQueue(queue)) ?? []).filter(({ isReceived }) => !isReceived).length;
}

/** The photos that this device keeps for stays that nobody is signed in to any more. */
async function listWaitingForSignIn(): Promise<KeptPhoto[]> {
  const kept: KeptPhoto[] = (await within('photos', 'readonly', (store) => store.getAll())) ?? [];
  return kept.filter(({ tray }) => !isSignedInFor(tray));
}

export async function countWaitingForSignIn(): Promise<number> {
  return (await listWaitingForSignIn()).filter(({ isReceived }) => !isReceived).length;
}

/** Drops photos chosen more than `KEPT_MS` ago for stays that nobody is signed in to any more. */
export async function sweepQueues(): Promise<void> {
  const oldest = Date.now() - KEPT_MS;
  for (const { tray, id, chosenAt } of await listWaitingForSignIn())
    if (chosenAt < oldest) await dropPhotos(tray, id);
}

/** Time, in ms, that another tab has to give a lock back before it counts as its holder: a page being left ends late. */
const LEAVES_MS = 500;

interface HoldOptions {
  /** Takes it from the tab that holds it. */
  isTaken: boolean;
  onHeld(): void;
  /** Another tab holds it: this one waits for it. */
  onBusy(): void;
  /** Another tab took it from this one. */
  onLost(): void;
}

/**
 * Requests a lock that one tab holds at a time. Without the Web Locks API it is granted at once. Returns a function that
 * releases it.
 */
export function holdLock(name: string, { isTaken, onHeld, onBusy, onLost }: HoldOptions): () => void {
  if (!navigator.locks) {
    onHeld();
    return () => {};
  }
  const controller = new AbortController();
  const { signal } = controller;
  const busyTimer = setTimeout(onBusy, LEAVES_MS);
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const held = () => {
    clearTimeout(busyTimer);
    if (signal.aborted) return;
    onHeld();
    return released;
  };
  navigator.locks.request(name, isTaken ? { steal: true } : { signal }, held).catch(() => {
    if (!signal.aborted) onLost();
  });
  return () => {
    clearTimeout(busyTimer);
    controller.abort();
    release();
  };
}
