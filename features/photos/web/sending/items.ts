import { isOver, type Sending } from '#features/photos/shared/sending.ts';
import type { ReplyOf } from '#platform/shared/call.ts';
import { dropPhoto, dropQueue, type KeptPhoto, keepNames, keepPhoto } from './keptUploads.ts';
import { whyNot } from './prepare.ts';

/** A photo in the tray. Replaced whole at each change, so that what shows it knows. */
export interface Item extends Sending {
  /** At random, as it is kept under it beside those of other tabs. */
  readonly id: string;
  readonly nom: string;
  readonly type: string;
  /** A moment; blank when nobody knows. */
  readonly prise_le: string;
  readonly file: Blob | undefined;
  readonly small: Blob | undefined;
  readonly light: Blob | undefined;
  /** Where the whole file, and the light version, go on being sent; blank: they have not begun. */
  readonly address: string;
  readonly lightAddress: string;
  /** Something of it left from here. */
  readonly hasLeft: boolean;
  /** The site was asked whether it has it, since the line was cut last. */
  readonly isAsked: boolean;
  /** Tries in a row that failed. */
  readonly failures: number;
  /** Why it failed; a French sentence. */
  readonly reason: string;
  readonly chosenAt: number;
}

/** A photo that was chosen; what keeps it from being sent is known at once. `id`: that of the row it takes the place of. */
export function newItem(file: File, chosenAt: number, id: string = crypto.randomUUID()): Item {
  const reason = whyNot(file) ?? '';
  return {
    ...{ id, nom: file.name, type: file.type, taille: file.size, chosenAt, reason },
    ...(reason ? { state: 'failed', file: undefined } : { state: 'waiting', file }),
    ...{ empreinte: '', prise_le: '', small: undefined, light: undefined },
    ...{ lightSize: undefined, has: undefined, sent: 0, address: '', lightAddress: '', statut: undefined },
    ...{ hasLeft: false, isAsked: false, failures: 0, retryAt: 0 },
  };
}

/** What was chosen before this page was opened. `held`: its file, where this tab still has it. */
export function itemOf(kept: KeptPhoto, held: Blob | undefined): Item {
  const { id, nom, type, taille, empreinte, prise_le, small, address, has, chosenAt } = kept;
  const { isReceived, reason } = kept;
  const file = isReceived ? undefined : (kept.file ?? held);
  return {
    ...{ id, nom, type, taille, empreinte, prise_le, small, address, has, chosenAt, file, reason },
    // A light version is made anew, and may differ: it is sent from its beginning.
    ...{ light: undefined, lightSize: has ? 0 : undefined, lightAddress: '', sent: 0, statut: undefined },
    ...{ hasLeft: has !== undefined || address !== '', isAsked: false, failures: 0, retryAt: 0 },
    state: isReceived ? 'received' : reason ? 'failed' : file ? 'waiting' : 'missing',
  };
}

function keptOf(item: Item, tray: string): KeptPhoto {
  const { id, nom, type, taille, empreinte, prise_le, small, address, has, chosenAt, reason } = item;
  const isReceived = isOver(item);
  return {
    ...{ tray, id, nom, type, taille, empreinte, prise_le, small, address, has, chosenAt, reason },
    isReceived,
    file: isReceived ? undefined : item.file,
  };
}

type Known = ReplyOf<'POST /photos/connues'>['connues'][number];

/** What the answer of the site changes; `known`: none when it does not have the photo. */
export function answered(item: Item, known: Known | undefined): Partial<Item> {
  if (!known) return { isAsked: true, has: undefined, ...(isOver(item) && { state: 'gone' }) };
  const { version, statut, refus } = known;
  if (refus || statut === 'illisible') {
    const reason = refus || 'Ce fichier n’est pas une photo lisible.';
    const both = version === 'legere' && statut !== 'illisible';
    return {
      ...{ isAsked: true, statut, has: version, state: 'failed' },
      reason: both ? `La version légère est arrivée, pas la photo entière\u202f: ${reason}` : reason,
    };
  }
  if (version === 'legere') return { isAsked: true, statut, has: 'legere' };
  return { isAsked: true, statut, has: 'complete', state: item.hasLeft ? 'received' : 'known' };
}

/** The photos of a tray, in memory and on this device. */
export class PhotoList {
  private readonly tray: string;
  private readonly onChange: () => void;
  private items = new Map<string, Item>();
  private isClosed = false;

  constructor(tray: string, onChange: () => void) {
    this.tray = tray;
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

  /** Puts photos in that were just chosen, and keeps on this device that they were. */
  choose(items: readonly Item[]): void {
    this.put(items);
    if (!this.isClosed) void keepNames(items.map((item) => keptOf(item, this.tray)));
  }

  replace(items: readonly Item[]): void {
    this.items = new Map(items.map((item) => [item.id, item]));
    this.onChange();
  }

  /** What is no longer in the list stays out of it. */
  update(id: string, change: Partial<Item>): Item | undefined {
    const item = this.items.get(id);
    if (!item) return undefined;
    const next = { ...item, ...change };
    this.put([next]);
    return next;
  }

  /** It goes no further unless somebody does something. */
  async fail(id: string, reason: string, change: Partial<Item> = {}): Promise<void> {
    this.update(id, { ...change, state: 'failed', reason });
    await this.keep(id);
  }

  /** Keeps a photo on this device as it stands now. */
  async keep(id: string): Promise<void> {
    const item = this.items.get(id);
    if (item && !this.isClosed) await keepPhoto(keptOf(item, this.tray));
  }

  remove(id: string): void {
    this.items.delete(id);
    void dropPhoto(this.tray, id);
    this.onChange();
  }

  clear(): void {
    this.items.clear();
    void dropQueue(this.tray);
    this.onChange();
  }

  /** From now on nothing is kept: whoever signs out wants it gone. */
  close(): void {
    this.isClosed = true;
  }
}
