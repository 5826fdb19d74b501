import { rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { ImportKind } from '#features/stays/shared/terms.ts';
import { FileRefused } from '#platform/server/confined/answers.ts';
import { HttpError } from '#platform/server/errors.ts';
import type { StagedFile } from '#platform/server/http/forms.ts';
import type { Services } from '#platform/server/services.ts';
import { decoded, encodingOf } from '#platform/server/sheets/encoding.ts';
import type { ReadSheet } from '#platform/server/sheets/sheets.ts';
import type { Encoding } from '#platform/shared/encodings.ts';
import type { ReadFile } from '../calls.ts';
import type { Matches } from './columns.ts';
import { readRecords, refusedFile } from './read.ts';
import { topOf } from './table.ts';

/** What stands in a received file, and what of it is read: which sheet, from which line on, in which encoding. */

/** What the sender wishes to be read. */
interface Wishes {
  feuille?: string | undefined;
  masquees?: 'lire' | undefined;
  encodage?: Encoding | undefined;
}

interface Source {
  records: ReturnType<typeof readRecords>;
  top: Awaited<ReturnType<typeof topOf>>;
  is1904: boolean;
  lu: ReadFile;
}

/** A page of a site, XML, SYLK, DIF or RTF: a text that is a workbook. */
const MARKUP =
  /^\s*<(!doctype|\?xml|html|head|meta|style|body|div|table|workbook)\b|^ID;P|^TABLE\s+0,1|^\{\\rtf/i;
const NO_TABLE =
  'ce fichier n’est pas un tableau\u202f: ouvrez-le dans le programme qui l’a fait, puis enregistrez-le en .xlsx ou en CSV.';

/**
 * Opens a received file and runs `work` on it; `onRead` is called with the percent of it that was read. Throws 422 with
 * what was read of the file, as another choice may be the remedy.
 */
export async function withSource<R>(
  { sheets, staging }: Services,
  file: StagedFile,
  wishes: Wishes,
  { kind, said, onRead }: { kind: ImportKind; said: Matches; onRead: (percent: number) => void },
  work: (source: Source) => Promise<R>,
): Promise<R> {
  const folder = staging.newPath();
  const opened: Source['records'][] = [];
  let lu: ReadFile | undefined;

  async function open(path: string, encodage: Encoding) {
    const { size } = await stat(path);
    const records = readRecords(path, encodage, (bytes) => onRead(Math.round((100 * bytes) / size)));
    opened.push(records);
    return { records, top: await topOf(records, kind, said) };
  }

  const openCsv = ({ csv }: ReadSheet) => open(join(folder, csv), 'utf-8');

  /** The sheet that is wished for; else the first visible one in which headers are known; else the first visible one. */
  async function openSheet(read: readonly ReadSheet[]) {
    const wished = read.filter(({ name }) => name === wishes.feuille);
    const visible = read.filter(({ isHidden }) => !isHidden);
    const [first, ...others] = wished.length > 0 ? wished : visible.length > 0 ? visible : read;
    if (!first) throw refusedFile('il n’y a rien dans ce classeur.');
    let chosen = { sheet: first, ...(await openCsv(first)) };
    const isKnown = chosen.top.hasHeaders;
    for (const sheet of isKnown ? [] : others) {
      const other = { sheet, ...(await openCsv(sheet)) };
      if (!other.top.hasHeaders) continue;
      chosen = other;
      break;
    }
    return chosen;
  }

  const luOf = (
    { top, at }: Source['top'],
    sheet?: ReadSheet,
    read: readonly ReadSheet[] = [],
  ): ReadFile => ({
    feuille: sheet?.name ?? null,
    feuilles: read.map(({ name, lines, isHidden }) => ({ nom: name, lignes: lines, masquee: isHidden })),
    encodage: null,
    ligne_titres: top[at]?.ligne || null,
    passees: top.slice(0, at).map(({ cells }) => cells.filter((cell) => cell.trim() !== '').join(' ')),
    masquees: sheet?.hiddenRows ?? [],
    colonnes_masquees: sheet?.hiddenColumns ?? [],
    masquees_lues: wishes.masquees === 'lire',
  });

  try {
    let text: string | undefined;
    if (file.type === undefined) {
      const encodage = wishes.encodage ?? (await encodingOf(file.path));
      if (!encodage) throw refusedFile(NO_TABLE);
      text = await markupIn(file.path, encodage);
      if (text === undefined) {
        const { records, top } = await open(file.path, encodage);
        lu = { ...luOf(top), encodage };
        return await work({ records, top, lu, is1904: false });
      }
    }
    const read = await sheets.toCsv(file.path, { text, folder, withHidden: wishes.masquees === 'lire' });
    const { sheet, records, top } = await openSheet(read);
    lu = luOf(top, sheet, read);
    return await work({ records, top, lu, is1904: sheet.is1904 });
  } catch (error) {
    if (error instanceof FileRefused) throw refusedFile(error.reason);
    if (!(error instanceof HttpError) || error.status !== 422 || !lu) throw error;
    throw new HttpError(422, error.message, { champs: error.champs, extra: { ...error.extra, lu } });
  } finally {
    // Closes the file when it is refused before its end.
    for (const records of opened) await records.return(undefined);
    await rm(folder, { recursive: true, force: true });
  }
}

/** The text of a file that is a workbook written as one; undefined for any other. */
async function markupIn(path: string, encodage: Encoding): Promise<string | undefined> {
  let text = '';
  for await (const piece of decoded(path, encodage, () => {})) {
    if (text === '' && !MARKUP.test(piece)) return undefined;
    text += piece;
  }
  return text === '' ? undefined : text;
}
