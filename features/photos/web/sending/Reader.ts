import type { Item, PhotoList } from './items.ts';
import { fingerprintOf, takenAt } from './prepare.ts';
import { UNREADABLE } from './Sender.ts';

/** Reads the photos of a list that were chosen, one after another: each is in memory meanwhile. */
export class Reader {
  /** Photos that were in the list already when they were chosen. */
  doubles = 0;
  private readonly list: PhotoList;
  private readonly onRead: () => void;
  private isReading = false;

  constructor(list: PhotoList, onRead: () => void) {
    this.list = list;
    this.onRead = onRead;
  }

  async read(): Promise<void> {
    if (this.isReading) return;
    this.isReading = true;
    for (let next = this.nextUnread(); next; next = this.nextUnread()) {
      await this.readOne(next.id, next.file);
      this.onRead();
    }
    this.isReading = false;
  }

  private nextUnread(): { id: string; file: Blob } | undefined {
    for (const { id, file, empreinte, state } of this.list.all()) {
      if (file && empreinte === '' && state === 'waiting') return { id, file };
    }
    return undefined;
  }

  private async readOne(id: string, file: Blob): Promise<void> {
    try {
      const empreinte = await fingerprintOf(file);
      const prise_le = await takenAt(file);
      const same = this.list.all().find((other) => other.empreinte === empreinte);
      if (same) return await this.join(id, same, file);
      this.list.update(id, { empreinte, prise_le });
      await this.list.keep(id);
    } catch {
      await this.list.fail(id, UNREADABLE);
    }
  }

  /** The same photo is in the list: one of the two is enough, with a file that can be read. */
  private async join(id: string, same: Item, file: Blob): Promise<void> {
    const isWanted = ['missing', 'failed', 'gone'].includes(same.state);
    if (!isWanted) this.doubles++;
    this.list.remove(id);
    if (!isWanted) return;
    this.list.update(same.id, { file, state: 'waiting', reason: '', isAsked: false });
    await this.list.keep(same.id);
  }
}
