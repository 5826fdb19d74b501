import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { isUnchanged } from './kept.ts';

/** A part of a body, in bytes; `end` included. */
export interface ByteRange {
  start: number;
  end: number;
}

/** A body of a known size, sent whole or from where it was cut. */
export interface Ranged {
  /** Bytes. */
  size: number;
  /** Strong: parts of two bodies with the same tag fit together. */
  etag: string;
  /** Opens the body, or a part of it. */
  open(range?: ByteRange): Promise<Readable>;
}

/** Sends a body whose headers are set but for its size and tag: 200, 206, 304 or 416. */
export async function sendRanged(
  request: FastifyRequest,
  reply: FastifyReply,
  { size, etag, open: openBody }: Ranged,
): Promise<FastifyReply> {
  // Whoever asks for the headers alone would have a long body read for nothing.
  const open = request.method === 'HEAD' ? () => Readable.from([]) : openBody;
  reply.header('etag', etag);
  if (isUnchanged(request.headers['if-none-match'], etag)) return reply.code(304).send();
  const wanted = request.headers['if-range'];
  const range = wanted === undefined || wanted === etag ? rangeOf(request.headers.range, size) : undefined;
  if (range === 'unsatisfiable') {
    return reply.code(416).header('content-range', `bytes */${size}`).send();
  }
  reply.header('accept-ranges', 'bytes');
  if (!range) return reply.header('content-length', size).send(await open());
  return reply
    .code(206)
    .header('content-range', `bytes ${range.start}-${range.end}/${size}`)
    .header('content-length', range.end - range.start + 1)
    .send(await open(range));
}

/** One range of bytes, as viewers of PDFs ask; several at once are answered with the whole. */
function rangeOf(header: string | undefined, size: number): ByteRange | 'unsatisfiable' | undefined {
  const [, from, to] = /^bytes=(\d*)-(\d*)$/.exec(header ?? '') ?? [];
  if (from === undefined || to === undefined || (from === '' && to === '')) return undefined;
  const start = from === '' ? Math.max(0, size - Number(to)) : Number(from);
  const end = from === '' || to === '' ? size - 1 : Math.min(Number(to), size - 1);
  return start > end || start >= size ? 'unsatisfiable' : { start, end };
}
