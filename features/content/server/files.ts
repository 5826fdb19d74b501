import { randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { journal } from '#features/audit/server/journal.ts';
import type { Actor } from '#platform/server/actor.ts';
import { FileRefused } from '#platform/server/confined/answers.ts';
import type { Access } from '#platform/server/db/database.ts';
import { invalid } from '#platform/server/errors.ts';
import {
  condemnFiles,
  eraseUnregistered,
  findFile,
  type NewFile,
  registerFiles,
  tryEraseCondemned,
  writeWidths,
} from '#platform/server/files/registerStore.ts';
import type { StagedFile } from '#platform/server/http/forms.ts';
import type { JobPayloads } from '#platform/server/jobs/jobs.ts';
import { addJob } from '#platform/server/jobs/jobsStore.ts';
import type { Services } from '#platform/server/services.ts';
import { FileMissing, keyOf } from '#platform/server/storage/storage.ts';
import { type Illustration, narrower, narrowerWidths } from '#platform/shared/pictures.ts';
import type { ItemBody } from '../calls.ts';
import { genreOf, type ItemKind } from '../shared/kinds.ts';

/*
 * The files of an item: making received files safe, storing them, and recording them in the row. Files first, then the
 * row: docs/decisions/0003-files-before-rows.md.
 */

/** The part of a kind that concerns files; also used for things with files that are not a kind. */
export type FileKind = Pick<ItemKind, 'folder' | 'picture' | 'gallery'> & {
  table: string;
  pdf?: { column: string; label: string };
};

export type ItemRow = Record<string, string | number | null>;

export function illustrationsOf(row: ItemRow): Illustration[] {
  return JSON.parse(String(row.illustrations ?? '[]'));
}

/** A file already in storage, whose row is not written yet. */
export interface KeptFile {
  field: string;
  place: number;
  nom: string;
  type: string;
  taille: number;
  sha256: string;
  illustration: Omit<Illustration, 'texte_alternatif'> | undefined;
  /** What to do for who hears a PDF, where it lacks something. */
  conseil?: string | undefined;
}

/**
 * Makes every received file safe, then stores them all; stores nothing when one is refused. Throws a 422 by field, with
 * the file's original name where the kind has a gallery.
 */
export async function keepFiles(
  services: Services,
  kind: FileKind,
  files: Record<string, StagedFile[]>,
): Promise<KeptFile[]> {
  const accepts = kind.picture?.accepts ?? [];
  // The original site sent the picture under two names; either will do, both at once would be two pictures.
  const [, second] = accepts.filter((name) => files[name]);
  if (second) throw invalid({ [second]: 'un seul fichier.' }, labelsOf(kind));
  const received = Object.entries(files).flatMap(([field, list]) => list.map((file) => ({ field, file })));
  const made: { path: string; kept: KeptFile }[] = [];
  try {
    const results = await Promise.allSettled(
      received.map((one) => makeSafe(services, kind, one.field, one.file)),
    );
    for (const result of results) if (result.status === 'fulfilled') made.push(result.value);
    const refused = results.find((result) => result.status === 'rejected');
    if (refused) throw refused.reason;
    for (const { path, kept } of made) await services.storage.keep(path, keyOf(kind.folder, kept.nom));
    return made.map(({ kept }) => kept);
  } catch (error) {
    await services.storage.remove(made.map(({ kept }) => keyOf(kind.folder, kept.nom)));
    throw error;
  } finally {
    await Promise.all(made.map(({ path }) => rm(path, { force: true })));
  }
}

async function makeSafe(services: Services, kind: FileKind, field: string, file: StagedFile) {
  const id = randomBytes(16).toString('hex');
  const base = { field, place: file.place };
  const path = services.staging.newPath();
  try {
    if (field === kind.pdf?.column) {
      const conseil = await services.pdfs.check(file.path);
      const { size: taille, sha256 } = file;
      const kept = {
        ...base,
        nom: `${id}.pdf`,
        type: 'application/pdf',
        taille,
        sha256,
        illustration: undefined,
        conseil,
      };
      return { path: file.path, kept };
    }
    const {
      size: taille,
      sha256,
      width,
      height,
      placeholder,
    } = await services.images.prepare(file.path, path);
    const nom = `${id}.webp`;
    const illustration = { nom, largeur: width, hauteur: height, apercu: placeholder };
    return { path, kept: { ...base, nom, type: 'image/webp', taille, sha256, illustration } };
  } catch (error) {
    await rm(path, { force: true });
    if (!(error instanceof FileRefused)) throw error;
    services.log.info({ refused: error.reason, cause: String(error.cause ?? '') }, 'file refused');
    throw invalid(
      { [field]: kind.gallery ? `${file.label}\u202f: ${error.reason}` : error.reason },
      labelsOf(kind),
    );
  }
}

function labelsOf(kind: FileKind): Record<string, string> {
  const { picture, gallery, pdf } = kind;
  return {
    ...Object.fromEntries((picture?.accepts ?? []).map((name) => [name, picture?.label ?? name])),
    ...(gallery ? { [gallery.column]: gallery.label } : {}),
    ...(pdf ? { [pdf.column]: pdf.label } : {}),
  };
}

/**
 * Runs the transaction of a save whose files are stored already. On failure the files are erased again, unless the row
 * turns out to be there. Cached lists are dropped before the caller gets an answer.
 */
export async function saving<Row>(
  services: Services,
  kind: ItemKind,
  files: readonly KeptFile[],
  work: (transaction: Access, now: Date) => Promise<Row>,
): Promise<Row> {
  const { database, storage, clock } = services;
  try {
    return await database.write(async (transaction) => {
      const now = clock();
      const row = await work(transaction, now);
      for (const { nom, illustration } of files) {
        if (!illustration || narrowerWidths(illustration.largeur).length === 0) continue;
        await addJob(transaction, 'narrow-picture', { nom, largeur: illustration.largeur }, now);
      }
      return row;
    });
  } catch (error) {
    await eraseUnregistered(
      database,
      storage,
      files.map(({ nom }) => ({ nom, dossier: kind.folder, largeurs: '' })),
    );
    throw error;
  } finally {
    await services.cache.drop(genreOf(kind));
    services.jobs.wake();
  }
}

/**
 * Like `saving`, for a change: `work` returns the row before and after it. Registers the files that the row gained and
 * erases those that it no longer holds.
 */
export async function savingChange<Row extends { id: number }>(
  services: Services,
  kind: ItemKind,
  files: readonly KeptFile[],
  actor: Actor,
  work: (transaction: Access, now: Date) => Promise<{ before: Row; after: Row }>,
): Promise<Row> {
  const saved = await saving(services, kind, files, async (transaction, now) => {
    const { before, after } = await work(transaction, now);
    const owner = { table: kind.table, id: after.id };
    const held = namesHeld(kind, after);
    const dropped = namesHeld(kind, before).filter((name) => !held.includes(name));
    await condemnFiles(transaction, { table: kind.table, ids: [after.id] }, dropped);
    await registerFiles(transaction, fileRows(kind, after.id, files, now));
    await journal(transaction, actor, now, 'modification', owner);
    return after;
  });
  await tryEraseCondemned(services);
  return saved;
}

export function fileRows(kind: FileKind, id: number, files: readonly KeptFile[], now: Date): NewFile[] {
  return files.map(({ nom, type, taille, sha256 }) => ({
    nom,
    dossier: kind.folder,
    objet: kind.table,
    objet_id: id,
    type,
    taille,
    sha256,
    largeurs: '',
    created_at: now.toISOString(),
  }));
}

/**
 * The file columns of a row after a save. `row` is the current row (undefined for a creation): a form may keep only the
 * names that it holds. A file not named leaves the row; a field not sent stays as it is.
 */
export function placeFiles(
  kind: ItemKind,
  row: ItemRow | undefined,
  body: ItemBody,
  kept: readonly KeptFile[],
): Record<string, string | null> {
  const columns: Record<string, string | null> = {};
  if (kind.pdf) {
    const pdf = kept.find((file) => file.field === kind.pdf?.column);
    if (pdf) columns[kind.pdf.column] = pdf.nom;
    return columns;
  }
  const known = [
    ...(row ? illustrationsOf(row) : []),
    ...kept.flatMap(({ illustration }) => (illustration ? [{ ...illustration, texte_alternatif: '' }] : [])),
  ];
  const shown = (name: string, alternative: string | undefined): Illustration[] => {
    const found = known.find((one) => one.nom === name);
    return found ? [{ ...found, texte_alternatif: alternative ?? found.texte_alternatif }] : [];
  };
  const picture = kind.picture ? pictureName(kind, row, body, kept) : null;
  const gallery = kind.gallery ? galleryNames(kind, row, body, kept) : [];
  if (kind.picture) columns[kind.picture.column] = picture;
  if (kind.gallery) columns[kind.gallery.column] = gallery.join(';');
  columns.illustrations = JSON.stringify([
    ...(picture ? shown(picture, body.texte_alternatif) : []),
    ...gallery.flatMap((name, index) => shown(name, body.textes_alternatifs?.[index])),
  ]);
  return columns;
}

const NOT_HELD = 'cette image n’est pas une image de cet élément.';

function pictureName(kind: ItemKind, row: ItemRow | undefined, body: ItemBody, kept: readonly KeptFile[]) {
  const accepts = kind.picture?.accepts ?? [];
  const received = kept.find((file) => accepts.includes(file.field));
  if (received) return received.nom;
  const held = (row?.[kind.picture?.column ?? ''] as string | null | undefined) ?? null;
  if (body.picture === undefined) return held;
  if (body.picture === '') return null;
  if (body.picture !== held) throw invalid({ [kind.picture?.column ?? '']: NOT_HELD }, labelsOf(kind));
  return held;
}

/** Received files and names to keep share one numbering: the order in which the form sent them. */
function galleryNames(kind: ItemKind, row: ItemRow | undefined, body: ItemBody, kept: readonly KeptFile[]) {
  const field = kind.gallery?.column ?? '';
  const held = namesIn(row, field);
  const received = kept.filter((file) => file.field === field);
  if (body.gallery === undefined && received.length === 0) return held;
  const places = new Map(received.map((file) => [file.place, file.nom]));
  const named = [...(body.gallery ?? [])];
  const names: string[] = [];
  for (let place = 0; named.length > 0 || places.size > 0; place++) {
    const own = places.get(place);
    places.delete(place);
    const name = own ?? named.shift() ?? '';
    if (name === '' || names.includes(name)) continue;
    if (!own && !held.includes(name)) throw invalid({ [field]: NOT_HELD }, labelsOf(kind));
    names.push(name);
  }
  const max = kind.gallery?.max ?? 0;
  if (names.length > max) throw invalid({ [field]: `${max} images au plus.` }, labelsOf(kind));
  return names;
}

function namesIn(row: Record<string, unknown> | undefined, column: string): string[] {
  return String(row?.[column] ?? '')
    .split(';')
    .filter((name) => name !== '');
}

function namesHeld(kind: ItemKind, row: Record<string, unknown>): string[] {
  return [kind.picture?.column, kind.gallery?.column, kind.pdf?.column].flatMap((column) =>
    column ? namesIn(row, column) : [],
  );
}

/**
 * Job after a picture is saved: makes its narrower sizes. Until they exist, the largest size is served in their place.
 * Run twice, it makes the same files again; for a picture removed meanwhile, it leaves no files behind.
 */
export async function narrowPicture(
  services: Services,
  { nom, largeur }: JobPayloads['narrow-picture'],
): Promise<void> {
  const { database, storage, staging, images } = services;
  const file = await findFile(database.db, nom);
  if (!file) return;
  const source = staging.newPath();
  const outputs = narrowerWidths(largeur).map((width) => ({ width, path: staging.newPath() }));
  try {
    await storage.fetch(keyOf(file.dossier, nom), source);
    await images.narrow(source, outputs);
    const keys = outputs.map((output) => keyOf(file.dossier, narrower(nom, output.width)));
    for (const [index, output] of outputs.entries()) await storage.keep(output.path, keys[index] ?? '');
    const widths = outputs.map((output) => output.width);
    const isHeld = await database.write((transaction) => writeWidths(transaction, nom, widths));
    if (!isHeld) await storage.remove(keys);
  } catch (error) {
    // The file was removed between the query and the reading.
    if (!(error instanceof FileMissing)) throw error;
  } finally {
    await Promise.all(
      [source, ...outputs.map((output) => output.path)].map((path) => rm(path, { force: true })),
    );
  }
}

declare module '#platform/server/jobs/jobs.ts' {
  interface JobPayloads {
    /** Makes the narrower sizes of a content picture; `largeur` is its own width in pixels. */
    'narrow-picture': { nom: string; largeur: number };
  }
}
