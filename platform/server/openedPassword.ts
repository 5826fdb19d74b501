import { requireProof, type Session } from './sessionsStore.ts';

/** A password that the site keeps sealed and staff can read, opened. It becomes no text of a reply by itself. */
export class OpenedPassword {
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  /** For what shows it to nobody who asks: comparisons, hashes, mails to whom it is for, another seal. */
  get unseen(): string {
    return this.#text;
  }

  /** For whoever asks to see it: throws 403 when they have not just proved who they are. */
  shownTo(session: Session | undefined, now: Date): string {
    requireProof(session, now);
    return this.#text;
  }
}
