import { createHash } from 'node:crypto';
import { open, rm, writeFile } from 'node:fs/promises';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { MultipartFile, MultipartValue } from '@fastify/multipart';
import type { FastifyRequest } from 'fastify';
import { fieldsError, HttpError, invalid, tooLarge, unreadable } from '#platform/server/errors.ts';
import type { UploadStaging } from '#platform/server/storage/uploadStaging.ts';
import { atMost, FORM_BYTES, MB } from '#platform/shared/bytes.ts';
import type { FileRule, MultipartBody } from '#platform/shared/call.ts';
import { PICTURE_KINDS, SNIFF_BYTES, type Sniffed, sniff } from '#platform/shared/sniff.ts';

/** A received file, not accepted yet. */
export interface StagedFile {
  path: string;
  /** The name the sender gave: a label, never a path. */
  label: string;
  type: Sniffed | undefined;
  /** Bytes. */
  size: number;
  sha256: string;
  /** Its position among all the parts of its field, names to keep included. */
  place: number;
}

export interface StagedForm {
  /** A field sent several times is an array. */
  texts: Record<string, string | string[]>;
  files: Record<string, StagedFile[]>;
  /** Erases what is still staged; does nothing for files taken from there. */
  discard(): Promise<void>;
}

const LIMITS = {
  fieldSize: 256 * 1024,
  fields: 100,
  files: 50,
  parts: 150,
  headerPairs: 50,
};
/** Room, in bytes, that an upload leaves on the disk for the database and its log. */
const RESERVE_BYTES = 16 * MB;
const RESERVE = () => RESERVE_BYTES;
/** Bytes of a refused body that are still read, so that the sender receives the reason. */
const DRAINED_BYTES = 64 * MB;

const tooMuch = () => tooLarge(`Cet envoi est trop volumineux (${atMost(FORM_BYTES)}).`);

const KINDS: Record<FileRule['kind'], { types: readonly (Sniffed | undefined)[]; wrong: string }> = {
  picture: {
    types: PICTURE_KINDS,
    wrong: 'une image JPEG, PNG, WebP, AVIF ou HEIC est attendue.',
  },
  pdf: { types: ['pdf'], wrong: 'un fichier PDF est attendu.' },
  table: {
    types: [undefined, 'zip', 'ole'],
    wrong:
      'un fichier CSV, Excel (.xlsx, .xls) ou LibreOffice (.ods) est attendu\u202f; d’un PDF ou d’une image, demandez le tableau dont il a été fait.',
  },
};

/**
 * Streams a multipart body: files to the staging place, their size and first bytes checked on the way, texts
 * to memory. Throws after having erased all it had staged.
 */
export async function stageForm(
  request: FastifyRequest,
  body: MultipartBody,
  staging: UploadStaging,
): Promise<StagedForm> {
  const announced = Number(request.headers['content-length'] ?? 0);
  if (announced > FORM_BYTES) {
    drain(request);
    throw tooMuch();
  }
  try {
    await staging.requireFree(announced, RESERVE);
  } catch (error) {
    drain(request);
    throw error;
  }
  const form = openForm(body, staging);
  try {
    const fileSize = Math.max(1, ...Object.values(body.files).map((rule) => rule.maxBytes));
    const parts = request.parts({ limits: { ...LIMITS, fileSize } });
    const { socket } = request.raw;
    const start = socket.bytesRead;
    // What the parser skips (an unexpected file, say) is received all the same.
    const refuseTooMuch = () => {
      if (socket.bytesRead - start > FORM_BYTES) throw tooMuch();
    };
    for await (const part of parts) {
      refuseTooMuch();
      if (part.type === 'file') await form.takeFile(part);
      else form.takeText(part);
    }
    refuseTooMuch();
    form.checkFields();
    return { texts: { ...form.texts }, files: { ...form.files }, discard: form.discard };
  } catch (error) {
    drain(request);
    await form.discard();
    throw asFormError(error);
  }
}

/** A file that the site itself provides. */
export interface OwnFile {
  label: string;
  bytes: Buffer;
}

/** Runs `work` with files staged as if a form had sent them, and erases at the end those that it has not taken. */
export async function withOwnFiles<R>(
  files: Record<string, OwnFile[]>,
  staging: UploadStaging,
  work: (staged: StagedForm['files']) => Promise<R>,
): Promise<R> {
  const all = Object.values(files).flat();
  const size = all.reduce((sum, { bytes }) => sum + bytes.length, 0);
  if (size > 0) await staging.requireFree(size, RESERVE);
  const staged = Object.entries(files).map(([field, list]) => {
    const of = list.map(({ label, bytes }, place) => {
      const sha256 = createHash('sha256').update(bytes).digest('hex');
      return { path: staging.newPath(), label, type: sniff(bytes), size: bytes.length, sha256, place };
    });
    return [field, of] as const;
  });
  const paths = staged.flatMap(([, list]) => list.map(({ path }) => path));
  try {
    for (const [index, path] of paths.entries())
      await writeFile(path, all[index]?.bytes ?? '', { flag: 'wx', mode: 0o600 });
    return await work(Object.fromEntries(staged));
  } finally {
    await Promise.all(paths.map((path) => rm(path, { force: true })));
  }
}

/** A form of which parts still arrive. */
function openForm(body: MultipartBody, staging: UploadStaging) {
  const texts: Record<string, string | string[]> = Object.create(null);
  const files: Record<string, StagedFile[]> = Object.create(null);
  const places = new Map<string, number>();
  const paths: string[] = [];
  const nextPlace = (name: string): number => {
    const place = places.get(name) ?? 0;
    places.set(name, place + 1);
    return place;
  };
  const refused = (status: number, name: string, reason: string): HttpError =>
    fieldsError(status, { [name]: reason }, { [name]: body.files[name]?.label ?? name });

  function takeText({ fieldname, value, valueTruncated }: MultipartValue): void {
    if (!isNamed(fieldname)) return;
    // The parser turns a part declared as JSON into an object; a form field is text.
    if (typeof value !== 'string') throw unreadable('Un champ du formulaire n’est pas du texte.');
    if (valueTruncated) throw tooLarge('Ce texte est trop long.', { [fieldname]: 'ce texte est trop long.' });
    nextPlace(fieldname);
    const known = texts[fieldname];
    texts[fieldname] = known === undefined ? value : [known, value].flat();
  }

  async function takeFile({ fieldname, filename, file }: MultipartFile): Promise<void> {
    const rule = isNamed(fieldname) ? body.files[fieldname] : undefined;
    if (!rule) {
      file.resume();
      return;
    }
    const { types, wrong } = KINDS[rule.kind];
    const path = staging.newPath();
    paths.push(path);
    const meter = measuring(types);
    try {
      // Opened first: a stream that fails early could otherwise still create its file after the clean-up.
      const handle = await open(path, 'wx', 0o600);
      await pipeline(file, meter.stream, staging.whileFree(RESERVE), handle.createWriteStream());
    } catch (error) {
      throw error === WRONG_KIND ? refused(415, fieldname, wrong) : error;
    }
    if (file.truncated)
      throw refused(413, fieldname, `ce fichier est trop lourd (${atMost(rule.maxBytes)}).`);
    const size = meter.size();
    // A file input left empty still sends a part, without name or content.
    if (size === 0 && !filename) return;
    if (size === 0) throw refused(422, fieldname, 'ce fichier est vide.');
    const type = meter.type();
    if (!types.includes(type)) throw refused(415, fieldname, wrong);
    const place = nextPlace(fieldname);
    const staged = { path, label: filename ?? '', type, size, sha256: meter.sha256(), place };
    files[fieldname] = [...(files[fieldname] ?? []), staged];
  }

  function checkFields(): void {
    for (const [name, { length }] of Object.entries(files)) {
      const most = body.files[name]?.maxFiles ?? length;
      if (length > most)
        throw refused(422, name, most === 1 ? 'un seul fichier.' : `${most} fichiers au plus.`);
    }
  }

  const discard = async () => {
    await Promise.all(paths.map((path) => rm(path, { force: true })));
  };
  return { takeText, takeFile, checkFields, texts, files, discard };
}

/** True for a part with a name; others are ignored. Limits its length, as the parser's own limit does not hold. */
function isNamed(name: string | undefined): name is string {
  if (name !== undefined && name.length > 100) throw unreadable('Un nom de champ est trop long.');
  return name !== undefined;
}

const WRONG_KIND = new Error('wrong kind of file');

/** Passes bytes on while it counts and hashes them; stops a file whose first bytes are of a wrong type. */
function measuring(types: readonly (Sniffed | undefined)[]) {
  const hash = createHash('sha256');
  let size = 0;
  let head = Buffer.alloc(0);
  let decided = false;
  const stream = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      size += chunk.length;
      hash.update(chunk);
      if (!decided) {
        head = Buffer.concat([head, chunk.subarray(0, SNIFF_BYTES)]);
        if (head.length >= SNIFF_BYTES) {
          decided = true;
          if (!types.includes(sniff(head))) {
            done(WRONG_KIND);
            return;
          }
        }
      }
      done(null, chunk);
    },
  });
  return { stream, size: () => size, type: () => sniff(head), sha256: () => hash.digest('hex') };
}

/** Reads what is left of a refused body, up to a limit, so that the answer is not lost in a reset. */
function drain(request: FastifyRequest): void {
  const { raw } = request;
  let read = 0;
  raw.unpipe();
  raw.on('data', (chunk: Buffer) => {
    read += chunk.length;
    if (read > DRAINED_BYTES) raw.destroy();
  });
  raw.resume();
}

/** Messages of the parser for a body that is cut or malformed; its limits have a code of their own. */
const BROKEN_BODY =
  /multipart data|terminated early|Boundary not found|Malformed|Unexpected end|premature|needle/i;

function asFormError(error: unknown): unknown {
  if (error instanceof HttpError) return error;
  const { code, message = '' } = error as { code?: string; message?: string };
  const isBroken = code === 'ERR_STREAM_PREMATURE_CLOSE' || code === 'ECONNRESET' || code === 'ABORT_ERR';
  if (isBroken || BROKEN_BODY.test(message)) return unreadable('Le formulaire reçu est incomplet ou abîmé.');
  return error;
}

/** Returns the file of a field; throws « obligatoire » when it is not there. */
export function requireFile(form: Pick<StagedForm, 'files'>, name: string, label: string): StagedFile {
  const file = form.files[name]?.[0];
  if (!file) throw invalid({ [name]: 'ce fichier est obligatoire.' }, { [name]: label });
  return file;
}
