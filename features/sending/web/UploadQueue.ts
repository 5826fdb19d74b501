import { keeperToken, type Viewer } from '#features/stays/web/sessions.ts';
import { photosAddress } from '#features/stays/web/stays.ts';
import { DAY_MS } from '#platform/shared/time.ts';
import type { CallError } from '#platform/web/api.ts';
import { createListeners, onSignInsChanged } from '#platform/web/session.ts';
import { type Hindrance, isOver, type Tally, tallyOf } from '../shared/sending.ts';
import { type Chosen, type Item, itemOf, mayRetry, newItem, PhotoList } from './items.ts';
import { holdLock, queueName, sendsHere, sweepQueues, takeUpQueue, UNREADABLE } from './keptUploads.ts';
import { captureOf, fingerprintOf } from './prepare.ts';
import { Sender } from './Sender.ts';

/** Address of the panel from which a director sends. */
const SENDING_ADDRESS = '/formateur#envoyer';
/** Time, in ms, between two updates of the displayed progress: bytes move all the time. */
const SHOW_MS = 250;
/** Time, in ms, for which a completed list is still shown when the page is opened again. */
const SHOWN_MS = DAY_MS;

/** Snapshot of an upload queue for display; a new object at each change. */
export interface QueueView {
  items: readonly Item[];
  tally: Tally;
  /** `elsewhere`: another tab of this browser sends. */
  place: 'opening' | 'here' | 'elsewhere';
  hindrance: Hindrance | undefined;
  /** Estimated time, in ms, until all photos are ready to be checked; undefined while it cannot be estimated. */
  readyIn: number | undefined;
  /** Like `readyIn`, until all photos have arrived in full. */
  wholeIn: number | undefined;
  /** Photos of the last choice that were already in the list. */
  doubles: number;
  /** The sign-in has ended. */
  refusal: CallError | undefined;
  /** Address of the panel where it is followed. */
  address: string;
}

/**
 * The upload queue of one stay on this device. It works as long as the page is open, even when it is not displayed, and
 * resumes what an earlier page left unsent.
 */
export class UploadQueue {
  readonly name: string;
  private readonly address: string;
  private readonly token: () => string | undefined;
  private readonly list: PhotoList;
  private readonly sender: Sender;
  private readonly listeners = new Set<() => void>();
  private place: QueueView['place'] = 'opening';
  private shown: QueueView | undefined;
  private showTimer: ReturnType<typeof setTimeout> | undefined;
  /** Aborted once the sign-in has left this device. */
  private readonly closing = new AbortController();
  private releaseLock = () => {};
  private isReading = false;
  /** Photos of the last choice that were already in the list. */
  private doubles = 0;
  /** Files chosen before this page knew what is stored: added once it does. */
  private readonly early: Chosen[] = [];

  constructor(stageId: number, as: Viewer) {
    this.name = queueName(stageId, as);
    this.address = as === 'portal' ? photosAddress(stageId) : SENDING_ADDRESS;
    this.token = () => keeperToken(stageId, as);
    const onChange = () => this.changed();
    this.list = new PhotoList(this.name, onChange);
    this.sender = new Sender({ stageId, list: this.list, token: this.token, onChange });
  }

  /** Loads what is stored on this device and resumes. Calls `onClosed` once the sign-in has left this device. */
  open(onClosed: () => void): void {
    const { signal } = this.closing;
    const wake = () => document.visibilityState === 'visible' && this.sender.wake();
    const onLeave = (event: Event) => {
      if (this.place === 'here' && tallyOf(this.list.all()).left > 0) event.preventDefault();
    };
    window.addEventListener('online', () => this.sender.wake(), { signal });
    window.addEventListener('offline', () => this.changed(), { signal });
    document.addEventListener('visibilitychange', wake, { signal });
    window.addEventListener('beforeunload', onLeave, { signal });
    const stopChecking = onSignInsChanged(() => {
      if (this.token()) return this.sender.refusal && this.sender.wake();
      this.close();
      onClosed();
    });
    signal.addEventListener('abort', stopChecking);
    this.hold(false);
  }

  private close(): void {
    this.closing.abort();
    this.releaseLock();
    sendsHere(this.name, undefined);
    this.list.close();
    this.sender.stop();
    clearTimeout(this.showTimer);
  }

  /** Two tabs must not send the same photos: one holds the lock, the others wait for it. */
  private hold(isTaken: boolean): void {
    this.releaseLock();
    this.releaseLock = holdLock(this.name, {
      isTaken,
      onHeld: () => void this.takeUp(),
      onBusy: () => this.move('elsewhere'),
      onLost: () => {
        this.sender.stop();
        this.move('elsewhere');
        this.hold(false);
      },
    });
  }

  /** Takes the lock from the tab that holds it, and sends from this one. */
  takeOver(): void {
    this.hold(true);
  }

  private async takeUp(): Promise<void> {
    await sweepQueues();
    const kept = await takeUpQueue(this.name);
    if (this.closing.signal.aborted) return;
    if (kept) this.list.replace(kept.map((photo) => itemOf(photo, this.list.find(photo.id)?.file)));
    const oldest = Date.now() - SHOWN_MS;
    if (kept?.every(({ isReceived, chosenAt }) => isReceived && chosenAt < oldest)) this.list.clear();
    this.move('here');
    if (this.early.length > 0) this.add(this.early.splice(0));
    this.sender.start();
    await this.read();
  }

  private move(place: QueueView['place']): void {
    this.place = place;
    const countUnsent = () => this.list.all().filter((item) => !isOver(item)).length;
    sendsHere(this.name, place === 'here' ? countUnsent : undefined);
    this.changed();
  }

  /** Adds chosen photos; when everything before them has arrived, they begin a new list. */
  add(chosen: readonly Chosen[]): void {
    // Before that, the stored photos are not loaded: the list must not be taken for empty.
    if (this.place !== 'here') {
      this.early.push(...chosen);
      return;
    }
    const before = this.list.all();
    if (before.length > 0 && before.every(isOver)) this.list.clear();
    this.doubles = 0;
    const now = Date.now();
    const wanted = this.list.all().filter(isWanted);
    const items = chosen.map((one, index) => {
      const { name, size } = one.file;
      const at = wanted.findIndex(({ nom, taille }) => nom === name && taille === size);
      const [same] = at < 0 ? [] : wanted.splice(at, 1);
      return newItem(one, now + index / 1_000, same?.id);
    });
    this.list.choose(items);
    void this.read();
  }

  /** Reads the chosen photos one at a time, because each is held in memory meanwhile. */
  private async read(): Promise<void> {
    if (this.isReading) return;
    this.isReading = true;
    const isUnread = ({ file, empreinte, state }: Item) => file && empreinte === '' && state === 'waiting';
    for (let next = this.list.all().find(isUnread); next?.file; next = this.list.all().find(isUnread)) {
      await this.readOne(next.id, next.file);
      this.sender.pump();
    }
    this.isReading = false;
  }

  private async readOne(id: string, file: Blob): Promise<void> {
    try {
      const bytes = await file.arrayBuffer();
      const empreinte = await fingerprintOf(bytes);
      const same = this.list.all().find((other) => other.empreinte === empreinte);
      if (same) return await this.join(id, same, file, bytes);
      this.list.update(id, { empreinte, ...captureOf(file, bytes) });
      await this.list.keepWhole(id, bytes);
    } catch {
      await this.list.fail(id, UNREADABLE);
    }
  }

  /** Merges a photo with the same one in the list; its file revives one that is not there. */
  private async join(id: string, same: Item, file: Blob, bytes: ArrayBuffer): Promise<void> {
    const isRevived = ['missing', 'failed', 'refused', 'gone'].includes(same.state);
    if (!isRevived) this.doubles++;
    this.list.remove(id);
    if (!isRevived) return;
    this.list.update(same.id, { file, state: 'waiting', reason: '', isAsked: false });
    await this.list.keepWhole(same.id, bytes);
  }

  /** Takes the files that can never be taken off the list. */
  dismissRefused(): void {
    const refused = this.list.all().filter(({ state }) => state === 'refused');
    this.list.remove(...refused.map(({ id }) => id));
  }

  remove(id: string): void {
    this.sender.abort(id);
    this.list.remove(id);
  }

  retry(items: readonly Item[]): void {
    for (const { id } of items.filter(mayRetry)) {
      this.list.update(id, { state: 'waiting', reason: '', isAsked: false, retryAt: 0, failures: 0 });
      void this.list.keep(id);
    }
    this.sender.wake();
    void this.read();
  }

  setPaused(isPaused: boolean): void {
    this.sender.setPaused(isPaused);
  }

  subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  view = (): QueueView => {
    this.shown ??= this.snapshot();
    return this.shown;
  };

  private snapshot(): QueueView {
    const { list, sender, place, address, doubles } = this;
    const items = list.all();
    const tally = tallyOf(items);
    return {
      items,
      tally,
      place,
      address,
      doubles,
      hindrance: sender.hindrance(),
      readyIn: sender.timeFor(tally.bytesToReady),
      wholeIn: sender.timeFor(tally.bytesLeft),
      refusal: sender.refusal?.error,
    };
  }

  private changed(): void {
    if (this.closing.signal.aborted) return;
    this.showTimer ??= setTimeout(() => {
      this.showTimer = undefined;
      this.shown = undefined;
      for (const listener of this.listeners) listener();
    }, SHOW_MS);
  }
}

/** True for a photo that was never read and is known only by name and size: the same file chosen again replaces it. */
function isWanted({ state, empreinte }: Item): boolean {
  return empreinte === '' && ['missing', 'failed', 'refused'].includes(state);
}

const queues = new Map<string, UploadQueue>();
const { tell, subscribe } = createListeners();

/** Calls `listener` whenever a queue of this page has changed. Returns the unsubscribe function. */
export const onQueuesChanged = subscribe;

/** The first queue from which photos leave, or wait to leave, as long as this page is open; undefined: none. */
export function leavingView(): QueueView | undefined {
  for (const queue of queues.values()) {
    const view = queue.view();
    if (view.place === 'here' && view.tally.left > 0) return view;
  }
  return undefined;
}

/** Whether photos of a stay's queue in this page have arrived: the panel then offers to check them. */
export function hasArrivals(stageId: number, as: Viewer): boolean {
  return (queues.get(queueName(stageId, as))?.view().tally.ready ?? 0) > 0;
}

/** The upload queue of a stay in this page; once opened it works until its sign-in leaves this device. */
export function uploadQueueOf(stageId: number, as: Viewer): UploadQueue {
  const name = queueName(stageId, as);
  const open = queues.get(name);
  if (open) return open;
  const queue = new UploadQueue(stageId, as);
  queues.set(name, queue);
  queue.subscribe(tell);
  queue.open(() => {
    queues.delete(name);
    tell();
  });
  return queue;
}
