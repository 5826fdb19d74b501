import type { IncomingMessage } from 'node:http';
import type { FastifyReply } from 'fastify';
import type { Config } from '#platform/server/config.ts';

/**
 * The security headers of every answer, whatever its status. The policy is the same for pages and calls; PDFs
 * (`PDF_POLICY`) and the parts of pages (`setPartHeaders`) have their own.
 */
export function securityHeaders(config: Config, isHttps: boolean): Record<string, string> {
  const outside = [config.VISIT_COUNTER_URL, config.ANALYTICS_URL].flatMap((url) =>
    url ? [new URL(url).origin] : [],
  );
  const bucket = config.S3_DIRECT && config.S3_ENDPOINT ? [new URL(config.S3_ENDPOINT).origin] : [];
  const policy = [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "style-src-attr 'unsafe-inline'",
    ["img-src 'self' blob: data:", ...outside, ...bucket].join(' '),
    "font-src 'self'",
    ["connect-src 'self'", ...outside].join(' '),
    "worker-src 'self'",
    "frame-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ];
  const headers: Record<string, string> = {
    'content-security-policy': policy.join('; '),
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'referrer-policy': 'strict-origin-when-cross-origin',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
  };
  if (isHttps) headers['strict-transport-security'] = 'max-age=63072000; includeSubDomains';
  return headers;
}

/** Headers that only documents heed. */
const OF_DOCUMENTS = [
  'x-frame-options',
  'referrer-policy',
  'cross-origin-opener-policy',
  'permissions-policy',
] as const;

/**
 * The policy of a PDF: it is shown in our own frames only. No more than that, as under a sandbox, or without sources, Safari
 * shows a blank page; what acts in a PDF is refused before (`pdf/check.ts`).
 */
export const PDF_POLICY = "frame-ancestors 'self'";

/** The policy of what is no document, should somebody open it as one: nothing runs in it, nothing is loaded by it. */
export const PART_POLICY = "default-src 'none'; frame-ancestors 'none'";

/**
 * Shortens the headers of a script, a style, a font or a picture without markup: a page loads twenty of them, and what only
 * documents heed would be half a kilobyte in each.
 */
export function setPartHeaders(reply: FastifyReply): void {
  for (const name of OF_DOCUMENTS) reply.removeHeader(name);
  reply.header('content-security-policy', PART_POLICY);
}

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
