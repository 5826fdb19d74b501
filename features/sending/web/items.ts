import { PHOTO_STATES } from '#features/photos/shared/states.ts';
import { NOT_PREPARED } from '#features/photos/shared/terms.ts';
import type { ReplyOf } from '#platform/shared/call.ts';
import { isOver, type Sending } from '../shared/sending.ts';
import { dropFile, dropPhotos, type KeptPhoto, keepFile, keepPhotos, readFile } from './keptUploads.ts';

/** A photo in the upload queue. Immutable: each change makes a new object, so that views notice it. */
export interface Item
  extends Readonly<Sending>,
    Readonly<Omit<Required<KeptPhoto>, 'tray' | 'file' | 'small' | 'isReceived'>> {
  /** Its file, while this page alone has it: once `isKept`, it is read from the device. */
  readonly file: Blob | undefined;
  /** Thumbnail for the list, a data URL. */
  readonly small: string | undefined;
  readonly light: Blob | undefined;
  /** Upload URL of the light version, to resume it; blank: not begun. */
  readonly lightAddress: string;
  /** True once part of it was sent from here. */
  readonly hasLeft: boolean;
  /** True once the site was asked whether it has the photo, since the last lost connection. */
  readonly isAsked: boolean;
  /** Consecutive failed attempts. */
  readonly failures: number;
}

/** A file chosen to be sent, and why it cannot be, a French sentence. */
export interface Chosen {
  file: File;
  reason?: string | undefined;
}

/** What no photo has before it is sent from this page. */
const NOT_BEGUN = {
  light: undefined,
  lightAddress: '',
  sent: 0,
  statut: undefined,
  isAsked: false,
  failures: 0,
  retryAt: 0,
} as const satisfies Partial<Item>;

/** The item of a chosen photo, refused at once for a `reason`. `id`: that of the item it replaces, if any. */
export function newItem(
  { file, reason = '' }: Chosen,
  chosenAt: number,
  id: string = crypto.randomUUID(),
): Item {
  const { name: nom, type, size: taille } = file;
  return {
    ...NOT_BEGUN,
    id,
    nom,
    type,
    taille,
    empreinte: '',
    prise_le: '',
    appareil: '',
    file: reason ? undefined : file,
    isKept: false,
    small: undefined,
    lightSize: undefined,
    address: '',
    has: undefined,
    hasLeft: false,
    state: reason ? 'refused' : 'waiting',
    reason,
    chosenAt,
  };
}

/** The item of a photo stored before this page was opened. `held`: its file, if this tab still has it. */
export function itemOf(
  { tray, isReceived, ...kept }: KeptPhoto & { isKept: boolean },
  held: Blob | undefined,
): Item {
  const { has, address, reason, small, isKept } = kept;
  const file = isReceived || isKept ? undefined : (kept.file ?? held);
  const unsent = reason ? 'failed' : file || isKept ? 'waiting' : 'missing';
  const over = reason ? (has ? 'reduced' : 'refused') : 'received';
  return {
    // A photo stored before cameras were read.
    appareil: '',
    ...kept,
    // The light version is made again and may differ, so it is sent from its beginning.
    ...NOT_BEGUN,
    file,
    small: typeof small === 'string' ? small : undefined,
    lightSize: has ? 0 : undefined,
    hasLeft: has !== undefined || address !== '',
    state: isReceived ? over : unsent,
  };
}

function keptOf(item: Item, queue: string): KeptPhoto {
  const { id, empreinte, nom, type, taille, prise_le, appareil, small, address, has, reason, chosenAt } =
    item;
  return {
    ...{ tray: queue, isReceived: isOver(item), id, empreinte, nom, type, taille, prise_le, appareil },
    ...{ small, address, has, reason, chosenAt },
  };
}

/** True while its file can be read from here. */
function isAtHand({ file, isKept }: Pick<Item, 'file' | 'isKept'>): boolean {
  return file !== undefined || isKept;
}

/** True when another attempt may mend a failure: the file is still at hand. */
export function mayRetry(item: Item): boolean {
  return item.state === 'failed' && isAtHand(item);
}

type Known = ReplyOf<'POST /photos/connues'>['connues'][number];

/** A site that was put back to an older state has lost the full version. */
const ONLY_LIGHT = 'La pleine qualité n’est plus sur le site\u202f: choisissez cette photo de nouveau.';

/** Changes to an item after the site answered; `known` is undefined when the site does not have the photo. */
export function answered(item: Item, known: Known | undefined): Partial<Item> {
  if (!known) {
    const wasThere = isOver(item) && item.state !== 'refused';
    const missed = { isAsked: true, has: undefined } as const;
    return wasThere ? { ...missed, state: 'gone', reason: '' } : missed;
  }
  const { version, statut, refus } = known;
  const { isUnreadable } = PHOTO_STATES[statut];
  if (refus || isUnreadable) {
    const reason = refus || 'Ce fichier n’est pas une photo lisible.';
    const has = version === 'legere' && !isUnreadable ? 'legere' : undefined;
    const heard = { isAsked: true, statut, has } as const;
    if (reason !== NOT_PREPARED) return { ...heard, ...refusedAs(has, reason) };
    // Chosen again since: it is sent once more.
    return isAtHand(item) ? heard : { ...heard, state: 'failed', reason };
  }
  if (version === 'legere') {
    const heard = { isAsked: true, statut, has: 'legere' } as const;
    if (item.state === 'received' || item.state === 'known')
      return { ...heard, state: 'failed', reason: ONLY_LIGHT };
    return { ...heard, state: item.state === 'refused' ? 'reduced' : item.state };
  }
  return { isAsked: true, statut, has: 'complete', state: item.hasLeft ? 'received' : 'known', reason: '' };
}

/** Changes to an item whose file can never be taken; `has`: the version of it that is there all the same. */
function refusedAs(has: Item['has'], reason: string) {
  const state = has === undefined ? 'refused' : 'reduced';
  return { state, reason, file: undefined, light: undefined, sent: 0 } as const;
}

/** The photos of an upload queue, in memory and on this device. */
export class PhotoList {
  private readonly queue: string;
  private readonly onChange: () => void;
  private items = new Map<string, Item>();
  private isClosed = false;

  constructor(queue: string, onChange: () => void) {
    this.queue = queue;
    this.onChange = onChange;
  }

  all(): Item[] {
    return [...this.items.values()];
  }

  find(id: string): Item | undefined {
    return this.items.get(id);
  }

  put(items: readonly Item[]): void {
    for (const item of items) this.items.set(item.id, item);
    this.onChange();
  }

  /** Adds photos that were just chosen, and stores their names on this device. */
  choose(items: readonly Item[]): void {
    this.put(items);
    if (this.isClosed) return;
    // So that it is not erased to make room, or after a week: most browsers decide without asking anybody.
    void navigator.storage?.persist?.().catch(() => false);
    void keepPhotos(items.map((item) => keptOf(item, this.queue)));
  }

  replace(items: readonly Item[]): void {
    this.items = new Map(items.map((item) => [item.id, item]));
    this.onChange();
  }

  /** Changes a photo; does nothing when it is no longer in the list. */
  update(id: string, change: Partial<Item>): Item | undefined {
    const item = this.items.get(id);
    if (!item) return undefined;
    const next = { ...item, ...change };
    this.put([next]);
    return next;
  }

  /** Marks a photo as failed: it is not retried unless somebody asks for it. */
  async fail(id: string, reason: string, change: Partial<Item> = {}): Promise<void> {
    this.update(id, { ...change, state: 'failed', reason });
    await this.keep(id);
  }

  /** Marks a photo as one whose file can never be taken: it is not retried, and this device need not keep it. */
  async refuse(id: string, reason: string, change: Partial<Item> = {}): Promise<void> {
    const item = this.items.get(id);
    this.update(id, { ...change, ...refusedAs(item?.has, reason) });
    await this.keep(id);
  }

  /** Stores a photo on this device as it stands now, and drops its file from it once nothing is left to send. */
  async keep(id: string): Promise<boolean> {
    const item = this.items.get(id);
    if (!item || this.isClosed) return false;
    const isStored = await keepPhotos([keptOf(item, this.queue)]);
    if (item.isKept && isOver(item)) {
      this.update(id, { isKept: false });
      await dropFile(this.queue, id);
    }
    return isStored;
  }

  /** Stores a photo with its file, for a page opened later; where there is no room for it, this page holds the file. */
  async keepWhole(id: string, bytes: ArrayBuffer): Promise<void> {
    if (!(await this.keep(id)) || !(await keepFile(this.queue, id, bytes))) return;
    const item = this.items.get(id);
    // Sent, taken off the list or signed out meanwhile.
    if (this.isClosed || !item || isOver(item)) await dropFile(this.queue, id);
    else this.update(id, { isKept: true, file: undefined });
  }

  /** The file of a photo; undefined when it is gone from this device. */
  async fileOf({ id, file }: Item): Promise<Blob | undefined> {
    return file ?? (await readFile(this.queue, id));
  }

  remove(...ids: string[]): void {
    for (const id of ids) {
      this.items.delete(id);
      void dropPhotos(this.queue, id);
    }
    this.onChange();
  }

  clear(): void {
    this.items.clear();
    void dropPhotos(this.queue);
    this.onChange();
  }

  /** Stops storing photos on this device: a person who signs out wants them gone. */
  close(): void {
    this.isClosed = true;
  }
}
