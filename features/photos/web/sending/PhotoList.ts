import { dropPhoto, dropTray, keepNames, keepPhoto } from '#features/photos/web/tray.ts';
import { type Item, keptOf } from './items.ts';

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
    void dropTray(this.tray);
    this.onChange();
  }

  /** From now on nothing is kept: whoever signs out wants it gone. */
  close(): void {
    this.isClosed = true;
  }
}
