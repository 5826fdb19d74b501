import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';

/** Every sheet, its cells as they are shown, between semicolons. */
const AS_CSV = 'csv:Text - txt - csv (StarCalc):59,34,76,1,,0,false,true,true,false,false,-1';

/**
 * What LibreOffice shows of a workbook: the lines of its sheets by name. Undefined where it is not installed;
 * throws what it says of a file that it does not open.
 */
export async function shownByLibreOffice(workbook: Buffer): Promise<Record<string, string[]> | undefined> {
  return withLibreOffice(workbook, 'classeur.xlsx', AS_CSV, (directory) =>
    Object.fromEntries(
      readdirSync(directory).map((name) => [
        name.replace(/^classeur-(.*)\.csv$/, '$1').normalize('NFC'),
        readFileSync(join(directory, name), 'utf8').trimEnd().split('\n'),
      ]),
    ),
  );
}

/** A file as LibreOffice saves it in another format, by its ending. Undefined where it is not installed. */
export async function savedByLibreOffice(
  file: Buffer,
  from: string,
  to: string,
): Promise<Buffer | undefined> {
  return withLibreOffice(file, `classeur.${from}`, to, (directory) =>
    readFileSync(join(directory, `classeur.${to.replace(/:.*/, '')}`)),
  );
}

/** What `read` finds in the folder into which LibreOffice has converted a file. */
async function withLibreOffice<R>(
  bytes: Buffer,
  name: string,
  format: string,
  read: (directory: string) => R,
): Promise<R | undefined> {
  const directory = mkdtempSync(join(tmpdir(), 'passerelle-libreoffice-'));
  try {
    const file = join(directory, name);
    writeFileSync(file, bytes);
    // A profile of its own: another one that is open, or of another version, is nobody's business here.
    const profile = `-env:UserInstallation=${pathToFileURL(join(directory, 'profil'))}`;
    const args = [profile, '--headless', '--convert-to', format, '--outdir', join(directory, 'fait'), file];
    const env = { ...process.env, LC_ALL: 'C.UTF-8' };
    const isThere = await promisify(execFile)('soffice', args, { env }).catch((error) => {
      if (error.code === 'ENOENT') return false;
      throw error;
    });
    return isThere ? read(join(directory, 'fait')) : undefined;
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}
