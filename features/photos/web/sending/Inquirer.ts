import { CallError, call } from '#platform/web/api.ts';
import { answered, type Item, type PhotoList } from './items.ts';

/** Photos that the site is asked about at once. */
const AT_ONCE = 500;
/** Time, in ms, between two looks at what became of those that arrived. */
const FOLLOW_MS = 4_000;

interface InquirerOptions {
  stageId: number;
  list: PhotoList;
  /** What opens the stay; none once nobody is signed in. */
  token(): string | undefined;
  onRefused(error: CallError): void;
}

/** Asks the site what it has of the photos of a list, and what became of it. */
export class Inquirer {
  private readonly options: InquirerOptions;
  private asking: Promise<void> | undefined;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private isOn = false;

  constructor(options: InquirerOptions) {
    this.options = options;
  }

  /** Which of those that are to go are there already; asked once for all who wait for it. Throws `CallError`. */
  ask(): Promise<void> {
    const unasked = this.options.list.all().filter(({ empreinte, isAsked }) => empreinte !== '' && !isAsked);
    this.asking ??= this.askAbout(unasked).finally(() => {
      this.asking = undefined;
    });
    return this.asking;
  }

  private async askAbout(items: readonly Item[]): Promise<void> {
    const { stageId, list } = this.options;
    const token = this.options.token();
    if (!token) throw new CallError(0, '');
    for (let from = 0; from < items.length; from += AT_ONCE) {
      const some = items.slice(from, from + AT_ONCE);
      const { connues } = await call('POST /photos/connues', {
        body: { stageId, empreintes: some.map(({ empreinte }) => empreinte) },
        token,
      });
      const found = new Map(connues.map((known) => [known.empreinte, known]));
      for (const { id, empreinte } of some) {
        const item = list.find(id);
        if (!item) continue;
        const next = list.update(id, answered(item, found.get(empreinte)));
        if (next?.state !== item.state) await list.keep(id);
      }
    }
  }

  /** Follows those that arrived until each is prepared, or found to be no photo. */
  follow(): void {
    this.isOn = true;
    this.timer ??= setTimeout(() => void this.look(), FOLLOW_MS);
  }

  stop(): void {
    this.isOn = false;
    clearTimeout(this.timer);
    this.timer = undefined;
  }

  private async look(): Promise<void> {
    const open = this.options.list.all().filter(isOpen);
    try {
      // Nobody sees it otherwise.
      if (open.length > 0 && navigator.onLine && document.visibilityState === 'visible') {
        await this.askAbout(open);
      }
    } catch (error) {
      if (error instanceof CallError && error.status === 401) this.options.onRefused(error);
    }
    this.timer = undefined;
    if (this.isOn && this.options.list.all().some(isOpen)) this.follow();
  }
}

function isOpen({ state, statut }: Item): boolean {
  return (state === 'received' || state === 'known') && (statut === undefined || statut === 'recue');
}
