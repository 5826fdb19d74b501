import { type DetailedError, Upload } from 'tus-js-client';
import { UPLOAD_PATH, WAITED_MAX } from '#features/photos/shared/terms.ts';
import { API_PREFIX, CallError, call, NO_ANSWER, refusal } from '#platform/web/api.ts';
import { type Hindrance, isUnprepared, nextToSend, Rate, waitAfter } from '../shared/sending.ts';
import { answered, type Item, type PhotoList } from './items.ts';
import { UNREADABLE } from './keptUploads.ts';
import { type Drawn, draw } from './prepare.ts';

const AT_ONCE = 3;
/** Photos per request to `POST /photos/connues`. */
const ASKED_AT_ONCE = 500;
/** Time, in ms, between two requests for the state of the photos that arrived. */
const FOLLOW_MS = 4_000;
/** Statuses that mean the connection or the whole site fails: no other photo would succeed. 0: no answer. */
const FAILS_FOR_ALL = [0, 429, 502, 503, 504, 507];

interface SenderOptions {
  stageId: number;
  list: PhotoList;
  /** Token that opens the stay; undefined once nobody is signed in. */
  token(): string | undefined;
  onChange(): void;
}

/** Uploads the photos of a list while it is on: several at once, with retries until each has arrived or was refused. */
export class Sender {
  private isPaused = false;
  /** Set when the server no longer accepts this token. */
  refusal: { error: CallError; token: string } | undefined;
  private readonly options: SenderOptions;
  private readonly list: PhotoList;
  private readonly active = new Map<string, AbortController>();
  private readonly rate = new Rate();
  private isOn = false;
  /** The failure that blocks all uploads, and the instant, in ms, before which nothing is retried. */
  private trouble: { message: string; until: number } | undefined;
  private failures = 0;
  private drawing: Promise<Drawn> = Promise.resolve({ small: undefined, light: undefined });
  private pumpTimer: ReturnType<typeof setTimeout> | undefined;
  private followTimer: ReturnType<typeof setTimeout> | undefined;
  private asking: Promise<void> | undefined;
  private wakeLock: Promise<WakeLockSentinel | undefined> = Promise.resolve(undefined);

  constructor(options: SenderOptions) {
    this.options = options;
    this.list = options.list;
  }

  start(): void {
    this.isOn = true;
    this.wake();
  }

  stop(): void {
    this.isOn = false;
    this.abortAll();
    clearTimeout(this.pumpTimer);
  }

  setPaused(isPaused: boolean): void {
    this.isPaused = isPaused;
    if (isPaused) {
      this.abortAll();
      this.options.onChange();
    } else this.wake();
  }

  abort(id: string): void {
    this.active.get(id)?.abort();
  }

  /** Retries everything now: the connection may be back, or the person signed in again. */
  wake(): void {
    this.trouble = undefined;
    if (this.refusal && this.refusal.token !== this.options.token()) this.refusal = undefined;
    for (const { id, retryAt } of this.list.all()) if (retryAt > 0) this.list.update(id, { retryAt: 0 });
    this.pump();
    this.follow();
  }

  hindrance(): Hindrance | undefined {
    if (this.isPaused) return { kind: 'paused' };
    if (!navigator.onLine) return { kind: 'offline' };
    return this.trouble && { kind: 'trouble', message: this.trouble.message };
  }

  /** Estimated time, in ms, in which `bytes` will be sent; undefined while it cannot be estimated. */
  timeFor(bytes: number): number | undefined {
    return this.isPaused ? undefined : this.rate.timeFor(bytes, Date.now());
  }

  private abortAll(): void {
    for (const controller of this.active.values()) controller.abort();
    this.rate.rest();
  }

  private maySend(now: number): boolean {
    if (!this.isOn || this.isPaused || this.refusal || !navigator.onLine) return false;
    return !this.trouble || this.trouble.until <= now;
  }

  /** Starts as many uploads as allowed, and sets a timer for the photos that have to wait. */
  pump(): void {
    clearTimeout(this.pumpTimer);
    const now = Date.now();
    while (this.maySend(now) && this.active.size < AT_ONCE) {
      const next = nextToSend(this.list.all(), now);
      if (!next) break;
      void this.work(next.id);
    }
    const instants = [this.trouble?.until ?? 0, ...this.list.all().map(({ retryAt }) => retryAt)];
    const soonest = Math.min(...instants.filter((instant) => instant > now));
    if (Number.isFinite(soonest)) this.pumpTimer = setTimeout(() => this.pump(), soonest - now + 10);
    const isSending = this.active.size > 0;
    if (!isSending) this.rate.rest();
    this.keepAwake(isSending);
    this.options.onChange();
  }

  /** Keeps the screen on, where the browser can. It lets go of it by itself when the page is hidden or the battery low. */
  private keepAwake(isWanted: boolean): void {
    this.wakeLock = this.wakeLock
      .then(async (lock) => {
        if (!isWanted) await lock?.release();
        else if (lock && !lock.released) return lock;
        else if (document.visibilityState === 'visible') return navigator.wakeLock?.request('screen');
        return undefined;
      })
      .catch(() => undefined);
  }

  private async work(id: string): Promise<void> {
    const controller = new AbortController();
    const { signal } = controller;
    this.active.set(id, controller);
    this.list.update(id, { state: 'preparing' });
    try {
      while (!signal.aborted && this.list.find(id)?.isAsked === false) await this.ask();
      const item = this.list.find(id);
      if (item?.state === 'preparing' && !signal.aborted) await this.send(item, signal);
    } catch (error) {
      if (!signal.aborted) this.failed(id, error);
    }
    this.active.delete(id);
    const { state } = this.list.find(id) ?? {};
    if (state === 'preparing' || state === 'sending') this.list.update(id, { state: 'waiting' });
    this.pump();
  }

  /** Sends the next version of a photo: light first, then full. */
  private async send(item: Item, signal: AbortSignal): Promise<void> {
    const { id } = item;
    const file = await this.list.fileOf(item);
    if (!file) throw new Error('the file is gone from this device');
    // A file that was moved or changed fails here, so that it is not taken for a connection failure.
    await file.slice(0, 1).arrayBuffer();
    let { light } = item;
    if (item.has === undefined && item.lightSize === undefined) {
      // One at a time: a decoded photo takes many times the memory of its file.
      this.drawing = this.drawing.then(() => draw(file));
      const drawn = await this.drawing;
      light = drawn.light;
      this.list.update(id, { small: drawn.small, light, lightSize: light?.size ?? 0 });
      // Without a light version, another photo may come first.
      if (!light) return;
    }
    const isLight = item.has === undefined && light !== undefined;
    await this.travel(item, isLight && light ? light : file, isLight, signal);
    this.trouble = undefined;
    this.failures = 0;
    this.list.update(id, {
      ...(isLight
        ? ({ has: 'legere', state: 'waiting', lightAddress: '' } as const)
        : // Not settled by what is known of the light version.
          ({ has: 'complete', state: 'received', statut: undefined, file: undefined, address: '' } as const)),
      light: undefined,
      sent: 0,
      failures: 0,
    });
    await this.list.keep(id);
    this.follow();
  }

  private async travel(item: Item, body: Blob, isLight: boolean, signal: AbortSignal): Promise<void> {
    const { id, nom, type, empreinte, prise_le, appareil, chosenAt } = item;
    const token = this.options.token();
    if (!token || signal.aborted) return;
    // How long ago by this device: its clock may be wrong, but hardly by more from one moment to another.
    const waited = Math.round((Date.now() - chosenAt) / 1_000);
    this.list.update(id, { state: 'sending', hasLeft: true });
    const metadata: Record<string, string> = {
      stageId: String(this.options.stageId),
      filename: nom,
      empreinte,
      filetype: isLight ? 'image/jpeg' : type || 'application/octet-stream',
      version: isLight ? 'legere' : 'complete',
    };
    if (prise_le) metadata.prise_le = prise_le;
    if (appareil) metadata.appareil = appareil;
    if (waited >= 0 && waited <= WAITED_MAX) metadata.choisie_depuis = String(waited);
    let before: number | undefined;
    await sendInParts(body, {
      token,
      signal,
      address: isLight ? item.lightAddress : item.address,
      metadata,
      onAddress: (address) => {
        this.list.update(id, isLight ? { lightAddress: address } : { address });
        if (!isLight) void this.list.keep(id);
      },
      onProgress: (sent) => {
        // The first report includes bytes that arrived in an earlier attempt: they do not count for the rate.
        this.rate.add(Date.now(), Math.max(0, sent - (before ?? sent)));
        before = sent;
        this.list.update(id, { sent });
      },
    });
  }

  private failed(id: string, error: unknown): void {
    const item = this.list.find(id);
    if (!item) return;
    if (!(error instanceof CallError)) {
      void this.list.fail(id, UNREADABLE);
      return;
    }
    const { status, message } = error;
    const now = Date.now();
    if (status === 401) this.refuse(error);
    else if (FAILS_FOR_ALL.includes(status)) {
      // Simultaneous uploads fail together: that counts as one failure.
      if (!this.trouble || this.trouble.until <= now) {
        this.trouble = { message, until: now + waitAfter(this.failures++) };
      }
      this.rate.rest();
      this.list.update(id, { isAsked: false });
    } else if (status >= 500 || status === 408) {
      const failures = item.failures + 1;
      this.list.update(id, { isAsked: false, failures, retryAt: now + waitAfter(failures) });
    } else {
      const change = { address: '', lightAddress: '' };
      if (isFinal(error)) void this.list.refuse(id, message, change);
      else void this.list.fail(id, message, change);
    }
  }

  private refuse(error: CallError): void {
    this.refusal = { error, token: this.options.token() ?? '' };
    this.abortAll();
    this.options.onChange();
  }

  /** Finds out which unsent photos the site already has; concurrent callers share one request. Throws `CallError`. */
  private ask(): Promise<void> {
    const unasked = this.list.all().filter(({ empreinte, isAsked }) => empreinte !== '' && !isAsked);
    this.asking ??= this.askAbout(unasked).finally(() => {
      this.asking = undefined;
    });
    return this.asking;
  }

  private async askAbout(items: readonly Item[]): Promise<void> {
    const { stageId } = this.options;
    const token = this.options.token();
    if (!token) throw new CallError(0, '');
    for (let from = 0; from < items.length; from += ASKED_AT_ONCE) {
      const some = items.slice(from, from + ASKED_AT_ONCE);
      const { connues } = await call('POST /photos/connues', {
        body: { stageId, empreintes: some.map(({ empreinte }) => empreinte) },
        token,
      });
      const found = new Map(connues.map((known) => [known.empreinte, known]));
      for (const { id, empreinte } of some) {
        const item = this.list.find(id);
        if (!item) continue;
        const next = this.list.update(id, answered(item, found.get(empreinte)));
        if (next?.state !== item.state) await this.list.keep(id);
      }
    }
  }

  /** Asks again and again about the photos that arrived, until each is prepared, or found not to be a photo. */
  private follow(): void {
    const isWaited = this.isOn && !this.refusal && this.list.all().some(isUnsettled);
    if (isWaited) this.followTimer ??= setTimeout(() => void this.poll(), FOLLOW_MS);
  }

  private async poll(): Promise<void> {
    try {
      // A hidden page shows nothing: no need to ask.
      if (this.isOn && !this.refusal && navigator.onLine && document.visibilityState === 'visible')
        await this.askAbout(this.list.all().filter(isUnsettled));
    } catch (error) {
      if (error instanceof CallError && error.status === 401) this.refuse(error);
    }
    this.followTimer = undefined;
    this.follow();
  }
}

/** Whether a photo has arrived, and is not known to be prepared; or was refused, and may be listed by the site. */
function isUnsettled({ state, statut, empreinte, isAsked }: Item): boolean {
  if (state === 'refused') return empreinte !== '' && !isAsked;
  return ['received', 'known', 'reduced'].includes(state) && isUnprepared({ statut });
}

/** Whether the site refuses the file itself: it is too large, not a photo, or described in a way it cannot take. */
function isFinal({ status, champs }: CallError): boolean {
  // A wrong fingerprint means that the file was damaged on its way.
  return status === 413 || status === 415 || (status === 422 && champs.empreinte === undefined);
}

/** Bytes of one request: at most this much is sent again after a lost connection. */
const CHUNK = 5 * 1024 * 1024;
/** Time, in ms, without progress after which the connection counts as lost. */
const STILL_MS = 45_000;
/** Statuses of a resumed upload whose state on the server is not, or no longer, what this browser expects. */
const OUT_OF_STEP = [404, 409, 410, 423];

interface SendOptions {
  token: string;
  metadata: Record<string, string>;
  /** URL of the upload to resume; blank: a new upload. */
  address: string;
  onAddress(address: string): void;
  onProgress(sent: number): void;
  signal: AbortSignal;
}

/** Sends a file in parts, resuming where it stopped. Throws `CallError`; status 0: try again. */
function sendInParts(file: Blob, options: SendOptions): Promise<void> {
  const { token, metadata, address, onAddress, onProgress, signal } = options;
  return new Promise((resolve, reject) => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const end = (settle: () => void) => {
      clearTimeout(timer);
      signal.removeEventListener('abort', stop);
      settle();
    };
    const stop = () => {
      void upload.abort();
      end(() => reject(new CallError(0, NO_ANSWER)));
    };
    const moved = () => {
      clearTimeout(timer);
      timer = setTimeout(stop, STILL_MS);
    };
    const upload = new Upload(file, {
      endpoint: new URL(`${API_PREFIX}${UPLOAD_PATH}`, window.location.origin).href,
      uploadUrl: address || null,
      chunkSize: CHUNK,
      headers: { authorization: `Bearer ${token}` },
      metadata,
      // The caller decides when to retry, and stores the upload URLs where they can be deleted.
      retryDelays: null,
      storeFingerprintForResuming: false,
      onUploadUrlAvailable: () => upload.url && onAddress(upload.url),
      onProgress: (sent) => {
        moved();
        onProgress(sent);
      },
      onSuccess: () => end(resolve),
      onError: (error) => end(() => reject(failureOf(error, token))),
    });
    signal.addEventListener('abort', stop);
    moved();
    if (signal.aborted) stop();
    else upload.start();
  });
}

function failureOf(error: Error, token: string): CallError {
  const { originalRequest, originalResponse } = error as Partial<DetailedError>;
  const status = originalResponse?.getStatus() ?? 0;
  const isOutOfStep = originalRequest?.getMethod() !== 'POST' && OUT_OF_STEP.includes(status);
  if (status === 0 || isOutOfStep) return new CallError(0, NO_ANSWER);
  return refusal(status, originalResponse?.getBody() ?? '', token);
}
