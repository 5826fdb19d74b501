import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
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
  /** Opens the body, or a part of it, whose pieces are good until the next one is asked for. */
  open(range?: ByteRange): Promise<AsyncIterable<Buffer>>;
}

/** Sends a body whose headers are set but for its size and tag: 200, 206, 304 or 416. */
export async function sendRanged(
  request: FastifyRequest,
  reply: FastifyReply,
  { size, etag, open }: Ranged,
): Promise<FastifyReply> {
  reply.header('etag', etag);
  if (isUnchanged(request.headers['if-none-match'], etag)) return reply.code(304).send();
  const wanted = request.headers['if-range'];
  const range = wanted === undefined || wanted === etag ? rangeOf(request.headers.range, size) : undefined;
  if (range === 'unsatisfiable') {
    return reply.code(416).header('content-range', `bytes */${size}`).send();
  }
  reply.header('accept-ranges', 'bytes');
  reply.header('content-length', range ? range.end - range.start + 1 : size);
  if (range) reply.code(206).header('content-range', `bytes ${range.start}-${range.end}/${size}`);
  return sendPieces(request, reply, () => open(range));
}

/**
 * Sends a body whose headers are set. Not as a stream: that holds pieces back, each in a buffer of its own, which takes
 * as long as all the rest.
 */
export async function sendPieces(
  request: FastifyRequest,
  reply: FastifyReply,
  open: () => Promise<AsyncIterable<Buffer>>,
): Promise<FastifyReply> {
  // Whoever asks for the headers alone would have a long body read for nothing.
  const pieces = request.method === 'HEAD' ? [] : await open();
  const response = reply.raw.writeHead(reply.statusCode, reply.getHeaders() as OutgoingHttpHeaders);
  reply.hijack();
  try {
    await pour(pieces, response);
  } catch (error) {
    request.log.warn({ err: error, requestId: request.id }, 'an answer was cut');
    response.destroy();
  }
  return reply;
}

/** Asks for a piece once the one before has left this process, whose bytes are good until then; stops with the reader. */
async function pour(
  pieces: AsyncIterable<Buffer> | Iterable<Buffer>,
  response: ServerResponse,
): Promise<void> {
  let goOn = () => {};
  response.once('close', () => goOn());
  for await (const piece of pieces) {
    if (response.destroyed) return;
    await new Promise<void>((resolve) => {
      goOn = resolve;
      response.write(piece, () => resolve());
    });
  }
  response.end();
}

/** One range of bytes, as viewers of PDFs ask; several at once are answered with the whole. */
function rangeOf(header: string | undefined, size: number): ByteRange | 'unsatisfiable' | undefined {
  const [, from, to] = /^bytes=(\d*)-(\d*)$/.exec(header ?? '') ?? [];
  if (from === undefined || to === undefined || (from === '' && to === '')) return undefined;
  const start = from === '' ? Math.max(0, size - Number(to)) : Number(from);
  const end = from === '' || to === '' ? size - 1 : Math.min(Number(to), size - 1);
  return start > end || start >= size ? 'unsatisfiable' : { start, end };
}
