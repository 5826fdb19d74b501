import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { create as contentDisposition } from 'content-disposition';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { HttpError, notFound } from '#platform/server/errors.ts';
import { DOCUMENT_FOLDERS, type FileRow, findFile } from '#platform/server/files/registerStore.ts';
import type { Services } from '#platform/server/services.ts';
import type { Session } from '#platform/server/sessionsStore.ts';
import { FileMissing, keyOf } from '#platform/server/storage/storage.ts';
import { narrower, PICTURE_WIDTHS } from '#platform/shared/pictures.ts';
import { type Access, isAdmitted } from '#platform/shared/roles.ts';
import { foreign, isForeign, presentedSessions, requireAdmitted } from './access.ts';
import { isUnchanged } from './cache.ts';
import { PDF_POLICY, setPartHeaders } from './headers.ts';

type AccessList = Exclude<Access, 'anyone'>;

/** Who may open the files of a row now, and the name under which a download is saved. */
interface Opening {
  /** `closed`: answered as if it did not exist, except to those of `closedBut` (a preview in the portal). */
  to: Access | 'closed';
  /** Set for a file of one stay: to the people of others it is answered as if it did not exist. */
  stageId?: number | null;
  closedBut: AccessList;
  label: string;
}

/** Finds who may open the files of a row of one table; undefined when the row is not there. */
type FileOwner = (id: number, now: Date) => Promise<Opening | undefined>;

/** File owners by table name, as the register holds it (`objet`). */
export type FileOwners = Record<string, FileOwner>;

/** By folder: finds the stored name of a file that people call by a name of their own; undefined when there is none. */
export type FileLabels = Record<string, (label: string) => Promise<string | undefined>>;

/** The features' part of `serveFiles`: who owns files, and how people call them. */
interface ServedFiles {
  owners: FileOwners;
  labels: FileLabels;
}

const NAME = /^([0-9a-f]{32})(?:-(\d{3,4}))?\.(webp|pdf)$/;
const TYPES: Record<string, string> = { webp: 'image/webp', pdf: 'application/pdf' };
/** Pages where access to private files is opened: to minutes, and to what belongs to stays. */
const ACCESS_PAGES = { minutes: '/compte-rendus', stays: '/connexion' };
/** Time, in seconds, for which a cached copy may outlive a withdrawal. */
const PUBLIC_SECONDS = 600;

/**
 * Registers `/api/images/{file}`, `/api/images_stages/{file}` and `/api/doc_stage_formateur/{file}`. A file is found
 * by its row, never by joining a path, under its stored name or the one people call it by; the row's owner says who
 * may open it at this moment.
 */
export function serveFiles(app: FastifyInstance, services: Services, served: ServedFiles): void {
  for (const folder of DOCUMENT_FOLDERS) {
    app.route<{ Params: { file: string } }>({
      method: 'GET',
      url: `/api/${folder}/:file`,
      config: { name: `GET /api/${folder}/:file` },
      handler: async (request, reply) => {
        const { file } = request.params;
        const found = await find(services, served, folder, file);
        try {
          await admitTo(services, request, reply, folder, found);
        } catch (error) {
          // Opened in its own tab after access has ended: redirected to where it is opened again, instead of JSON.
          const isPage = request.headers['sec-fetch-dest'] === 'document';
          if (isPage && error instanceof HttpError && error.status === 401) {
            return reply.redirect(accessPageOf(file, found), 303);
          }
          throw error;
        }
        return sendFile(services, request, reply, found as Found);
      },
    });
  }
}

interface Found {
  file: FileRow;
  /** The name to read: the file's own or one of its narrower sizes. */
  name: string;
  /** False while a narrower size that was asked for is not made yet. */
  isFinal: boolean;
  opening: Opening;
}

async function find(
  services: Services,
  { owners, labels }: ServedFiles,
  folder: string,
  asked: string,
): Promise<Found | undefined> {
  const byName = await findByName(services, owners, folder, asked);
  if (byName) return byName;
  const name = await labels[folder]?.(asked);
  return name === undefined ? undefined : findByName(services, owners, folder, name);
}

async function findByName(
  services: Services,
  owners: FileOwners,
  folder: string,
  asked: string,
): Promise<Found | undefined> {
  const [, id, width, extension] = NAME.exec(asked) ?? [];
  if (!id || !extension) return undefined;
  const file = await findFile(services.database.db, `${id}.${extension}`);
  const opening = file?.dossier === folder && (await owners[file.objet]?.(file.objet_id, services.clock()));
  if (!file || !opening) return undefined;
  if (!width) return { file, name: file.nom, isFinal: true, opening };
  if (!PICTURE_WIDTHS.some((one) => String(one) === width)) return undefined;
  const isMade = file.largeurs.split(';').includes(width);
  return { file, name: isMade ? narrower(file.nom, Number(width)) : file.nom, isFinal: isMade, opening };
}

/**
 * Checks access. In public folders, 404 for all that is not open. The private folder asks for a session first, so
 * that nobody without one learns which names exist.
 */
async function admitTo(
  services: Services,
  request: FastifyRequest,
  reply: FastifyReply,
  folder: string,
  found: Found | undefined,
): Promise<void> {
  if (found?.opening.to === 'anyone') return;
  const isPrivate = folder === 'doc_stage_formateur';
  if (isPrivate && isForeign(services, request)) throw foreign(services, request);
  const sessions = await presentedSessions(services, request);
  if (isPrivate)
    requireAdmitted(sessions, found && Array.isArray(found.opening.to) ? found.opening.to : ANY_READER);
  const access = !found
    ? []
    : found.opening.to === 'closed'
      ? found.opening.closedBut
      : (found.opening.to as AccessList);
  const stageId = found?.opening.stageId ?? null;
  const isOfStay = (session: Session) =>
    stageId === null || session.role === 'admin' || session.stageId === stageId;
  if (!sessions.some((session) => isAdmitted(session, access) && isOfStay(session))) throw notFound();
  reply.header('cache-control', 'private, no-store');
}

/**
 * Where to open access again. For a label it depends on the request alone, so that nobody without a session learns
 * which labels exist.
 */
function accessPageOf(asked: string, found: Found | undefined): string {
  const isOfStay = found ? found.opening.to.includes('family') : !NAME.test(asked);
  return isOfStay ? ACCESS_PAGES.stays : ACCESS_PAGES.minutes;
}

/** Roles that may open some file of the private folder: for a name that does not exist they get 404, not 403. */
const ANY_READER: AccessList = ['admin', 'reader', 'director', 'family'];

async function sendFile(
  services: Services,
  request: FastifyRequest,
  reply: FastifyReply,
  { file, name, isFinal, opening }: Found,
): Promise<FastifyReply> {
  const etag = `"${name.replace(/\..*$/, '')}"`;
  const extension = name.slice(name.lastIndexOf('.') + 1);
  reply.header('content-type', TYPES[extension] ?? 'application/octet-stream');
  if (reply.getHeader('cache-control') === undefined) {
    reply.header('cache-control', isFinal ? `public, max-age=${PUBLIC_SECONDS}` : 'no-cache');
  }
  if (extension === 'pdf') {
    reply
      .header('content-security-policy', PDF_POLICY)
      .header('x-frame-options', 'SAMEORIGIN')
      .header('x-robots-tag', 'noindex')
      .header(
        'content-disposition',
        contentDisposition(`${opening.label.replace(/[/\\]/g, '-')}.pdf`, { type: 'inline' }),
      );
  } else setPartHeaders(reply);
  // The register does not hold the sizes of narrower pictures: those are short, and sent without ranges.
  if (name !== file.nom) {
    if (isFinal) reply.header('etag', etag);
    if (isFinal && isUnchanged(request.headers['if-none-match'], etag)) return reply.code(304).send();
    return sendPieces(request, reply, () => open(services, file, name));
  }
  return sendRanged(request, reply, {
    size: file.taille,
    etag,
    open: (range) => open(services, file, name, range),
  });
}

async function open(services: Services, file: FileRow, name: string, range?: ByteRange) {
  try {
    return await services.storage.readPieces(keyOf(file.dossier, name), range);
  } catch (error) {
    if (!(error instanceof FileMissing)) throw error;
    services.log.error({ file: name, folder: file.dossier }, 'a registered file is missing from storage');
    throw notFound();
  }
}

/** A part of a body, in bytes; `end` is included. */
export interface ByteRange {
  start: number;
  end: number;
}

/** A body of a known size, sent whole or resumed from where it was cut. */
export interface Ranged {
  /** Bytes. */
  size: number;
  /** A strong ETag: parts of two bodies with the same tag fit together. */
  etag: string;
  /** Opens the body, or a part of it; each piece is valid until the next one is asked for. */
  open(range?: ByteRange): Promise<AsyncIterable<Buffer>>;
}

/** Sends a body whose headers are set except for its size and tag: 200, 206, 304 or 416. */
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
 * Sends a body whose headers are set. Not as a stream: a stream holds pieces back, each in a buffer of its own, which
 * takes as long as all the rest.
 */
async function sendPieces(
  request: FastifyRequest,
  reply: FastifyReply,
  open: () => Promise<AsyncIterable<Buffer>>,
): Promise<FastifyReply> {
  // A `HEAD` request must not have a long body read for nothing.
  const pieces = request.method === 'HEAD' ? [] : await open();
  const response = reply.raw.writeHead(reply.statusCode, reply.getHeaders() as OutgoingHttpHeaders);
  reply.hijack();
  try {
    const sent = await pour(pieces, response);
    const announced = Number(reply.getHeader('content-length') ?? sent);
    // A file that is shorter than its row says: whoever receives it would wait for the rest.
    if (request.method !== 'HEAD' && !response.destroyed && sent < announced)
      throw new Error(`${sent} of ${announced} bytes`);
    response.end();
  } catch (error) {
    request.log.warn({ err: error, requestId: request.id }, 'an answer was cut');
    response.destroy();
  }
  return reply;
}

/**
 * Writes the pieces to a response. Asks for the next piece once the one before has left this process, as its bytes
 * are valid until then; stops when the reader leaves.
 */
/** Writes pieces as the receiver takes them, and returns the number of their bytes. */
async function pour(
  pieces: AsyncIterable<Buffer> | Iterable<Buffer>,
  response: ServerResponse,
): Promise<number> {
  let goOn = () => {};
  let sent = 0;
  response.once('close', () => goOn());
  for await (const piece of pieces) {
    if (response.destroyed) return sent;
    sent += piece.length;
    await new Promise<void>((resolve) => {
      goOn = resolve;
      response.write(piece, () => resolve());
    });
  }
  return sent;
}

/** Reads one range of bytes, as PDF viewers request; several at once are answered with the whole body. */
function rangeOf(header: string | undefined, size: number): ByteRange | 'unsatisfiable' | undefined {
  const [, from, to] = /^bytes=(\d*)-(\d*)$/.exec(header ?? '') ?? [];
  if (from === undefined || to === undefined || (from === '' && to === '')) return undefined;
  const start = from === '' ? Math.max(0, size - Number(to)) : Number(from);
  const end = from === '' || to === '' ? size - 1 : Math.min(Number(to), size - 1);
  return start > end || start >= size ? 'unsatisfiable' : { start, end };
}
