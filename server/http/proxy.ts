import type { IncomingHttpHeaders } from 'node:http';
import type { Config } from '../config.ts';

/** Notices a proxy of which the site was not told: it then takes all visitors for one address. */
export interface ProxyWatch {
  note(headers: IncomingHttpHeaders): void;
  /** A request of this process came through a proxy although `TRUST_PROXY` says nothing. */
  readonly isUnannounced: boolean;
}

export function watchProxy({ TRUST_PROXY }: Config): ProxyWatch {
  let isUnannounced = false;
  return {
    note(headers) {
      if (isUnannounced || TRUST_PROXY !== undefined) return;
      isUnannounced = headers['x-forwarded-for'] !== undefined || headers.forwarded !== undefined;
    },
    get isUnannounced() {
      return isUnannounced;
    },
  };
}
