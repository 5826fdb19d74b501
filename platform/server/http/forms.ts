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
      'un fichier CSV ou Excel (.xlsx) est attendu\u202f; d’un PDF ou d’une image, demandez le tableau dont il a été fait.',
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
  const form = new FormInProgress(body, staging);
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
    return form.staged();
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

/** Stages files by field as if a form had sent them. Throws after having erased all it had staged. */
async function stageOwnFiles(
  files: Record<string, OwnFile[]>,
  staging: UploadStaging,
): Promise<Omit<StagedForm, 'texts'>> {
  const all = Object.entries(files).flatMap(([field, list]) =>
    list.map(({ label, bytes }, place) => ({ field, label, bytes, place, path: staging.newPath() })),
  );
  const discard = async () => {
    await Promise.all(all.map(({ path }) => rm(path, { force: true })));
  };
  const size = all.reduce((sum, { bytes }) => sum + bytes.length, 0);
  if (size > 0) await staging.requireFree(size, RESERVE);
  const staged: Record<string, StagedFile[]> = {};
  try {
    for (const { field, label, bytes, place, path } of all) {
      await writeFile(path, bytes, { flag: 'wx', mode: 0o600 });
      const sha256 = createHash('sha256').update(bytes).digest('hex');
      const file = { path, label, type: sniff(bytes), size: bytes.length, sha256, place };
      staged[field] = [...(staged[field] ?? []), file];
    }
    return { files: staged, discard };
  } catch (error) {
    await discard();
    throw error;
  }
}

/** Runs `work` with files staged as if a form had sent them, and erases at the end those that it has not taken. */
export async function withOwnFiles<R>(
  files: Record<string, OwnFile[]>,
  staging: UploadStaging,
  work: (staged: StagedForm['files']) => Promise<R>,
): Promise<R> {
  const staged = await stageOwnFiles(files, staging);
  try {
    return await work(staged.files);
  } finally {
    await staged.discard();
  }
}

class FormInProgress {
  readonly #body: MultipartBody;
  readonly #staging: UploadStaging;
  readonly #texts: Record<string, string | string[]> = Object.create(null);
  readonly #files: Record<string, StagedFile[]> = Object.create(null);
  readonly #places = new Map<string, number>();
  readonly #paths: string[] = [];

  constructor(body: MultipartBody, staging: UploadStaging) {
    this.#body = body;
    this.#staging = staging;
  }

  takeText(part: MultipartValue): void {
    if (!isNamed(part.fieldname)) return;
    const { value } = part;
    // The parser turns a part declared as JSON into an object; a form field is text.
    if (typeof value !== 'string') throw unreadable('Un champ du formulaire n’est pas du texte.');
    if (part.valueTruncated)
      throw tooLarge('Ce texte est trop long.', { [part.fieldname]: 'ce texte est trop long.' });
    this.#nextPlace(part.fieldname);
    const known = this.#texts[part.fieldname];
    this.#texts[part.fieldname] = known === undefined ? value : [known, value].flat();
  }

  async takeFile(part: MultipartFile): Promise<void> {
    const rule = isNamed(part.fieldname) ? this.#body.files[part.fieldname] : undefined;
    if (!rule) {
      part.file.resume();
      return;
    }
    const path = this.#staging.newPath();
    this.#paths.push(path);
    const meter = measuring(KINDS[rule.kind].types);
    try {
      // Opened first: a stream that fails early could otherwise still create its file after the clean-up.
      const handle = await open(path, 'wx', 0o600);
      await pipeline(part.file, meter.stream, this.#staging.whileFree(RESERVE), handle.createWriteStream());
    } catch (error) {
      throw error === WRONG_KIND ? this.#wrongKind(part.fieldname, rule) : error;
    }
    if (part.file.truncated) throw this.#tooBig(part.fieldname, rule);
    // A file input left empty still sends a part, without name or content.
    if (meter.size() === 0 && !part.filename) return;
    if (meter.size() === 0) throw this.#refused(422, part.fieldname, 'ce fichier est vide.');
    if (!KINDS[rule.kind].types.includes(meter.type())) throw this.#wrongKind(part.fieldname, rule);
    const place = this.#nextPlace(part.fieldname);
    const staged = {
      path,
      label: part.filename ?? '',
      type: meter.type(),
      size: meter.size(),
      sha256: meter.sha256(),
      place,
    };
    this.#files[part.fieldname] = [...(this.#files[part.fieldname] ?? []), staged];
  }

  checkFields(): void {
    for (const [name, files] of Object.entries(this.#files)) {
      const rule = this.#body.files[name];
      if (rule && files.length > rule.maxFiles) {
        throw this.#refused(
          422,
          name,
          rule.maxFiles === 1 ? 'un seul fichier.' : `${rule.maxFiles} fichiers au plus.`,
        );
      }
    }
  }

  staged(): StagedForm {
    return { texts: { ...this.#texts }, files: { ...this.#files }, discard: () => this.discard() };
  }

  async discard(): Promise<void> {
    await Promise.all(this.#paths.map((path) => rm(path, { force: true })));
  }

  #nextPlace(name: string): number {
    const place = this.#places.get(name) ?? 0;
    this.#places.set(name, place + 1);
    return place;
  }

  #refused(status: number, name: string, reason: string): HttpError {
    return fieldsError(status, { [name]: reason }, { [name]: this.#body.files[name]?.label ?? name });
  }

  #wrongKind(name: string, rule: FileRule): HttpError {
    return this.#refused(415, name, KINDS[rule.kind].wrong);
  }

  #tooBig(name: string, rule: FileRule): HttpError {
    return this.#refused(413, name, `ce fichier est trop lourd (${atMost(rule.maxBytes)}).`);
  }
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
