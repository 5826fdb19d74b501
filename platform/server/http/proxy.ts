import type { IncomingMessage } from 'node:http';
import type { Config } from '#platform/server/config.ts';

/** Detects a proxy that the configuration does not mention: the site then takes all visitors for one address. */
export interface ProxyDetector {
  note(request: IncomingMessage): void;
  /** True once a request of this process came through a proxy although `TRUST_PROXY` is not set. */
  readonly isUnannounced: boolean;
}

/** Loopback and private addresses, IPv4 ones written as IPv6 too. */
const NEAR = /^(::ffff:)?(127\.|10\.|192\.168\.|172\.(1[6-9]|2\d|3[01])\.)|^::1$|^f[cd]/i;

export function detectProxy({ TRUST_PROXY }: Config): ProxyDetector {
  let isUnannounced = false;
  return {
    note({ headers, socket }) {
      if (isUnannounced || TRUST_PROXY !== undefined) return;
      const isForwarded = headers['x-forwarded-for'] !== undefined || headers.forwarded !== undefined;
      // Anybody can send these headers: they are believed from where a proxy stands, beside the site.
      isUnannounced = isForwarded && NEAR.test(socket.remoteAddress ?? '');
    },
    get isUnannounced() {
      return isUnannounced;
    },
  };
}
