import { DatabaseTooNew } from '#app/migrations/migrate.ts';
import { ConfigError } from '#platform/server/config.ts';
import { databaseTrouble } from '#platform/server/db/database.ts';
import { DirectoryInUse, SiteMoving } from '#platform/server/db/directory.ts';
import { StorageUnreachable } from '#platform/server/errors.ts';

/* Errors that the person who hosts the site can correct, each as one line that names the setting and what to do. */

const NOT_WRITABLE =
  'DATA_DIR\u202f: le site ne peut pas écrire dans ce dossier. Donnez-le au compte qui lance le site.';
const DAMAGED =
  'DATA_DIR\u202f: passerelle.db est abîmé, ou n’est pas une base de données. Remettez une sauvegarde ' +
  '(verrou.db, lui, s’efface sans perte).';
const REFUSED = 'DATABASE_URL\u202f: ce compte ou son mot de passe est refusé. Vérifiez l’adresse.';

/** Sentences by error code of PostgreSQL, SQLite or the system. */
const BY_CODE: Record<string, string> = {
  '28P01': REFUSED,
  '28000': REFUSED,
  '3D000': 'DATABASE_URL\u202f: ce serveur n’a pas de base de ce nom. Créez-la, ou vérifiez l’adresse.',
  '42501':
    'DATABASE_URL\u202f: ce compte n’a pas le droit d’écrire dans cette base. Rendez-l’en propriétaire.',
  '53100': 'DATABASE_URL\u202f: le disque de la base de données est plein. Faites-y de la place.',
  SQLITE_NOTADB: DAMAGED,
  SQLITE_CANTOPEN: NOT_WRITABLE,
  SQLITE_READONLY: NOT_WRITABLE,
  EACCES: NOT_WRITABLE,
  EPERM: NOT_WRITABLE,
  EROFS: NOT_WRITABLE,
  EEXIST: 'DATA_DIR\u202f: un fichier est à la place de ce dossier. Choisissez un autre DATA_DIR.',
  ENOTDIR: 'DATA_DIR\u202f: un fichier est à la place d’un de ses dossiers. Choisissez un autre DATA_DIR.',
};
const FULL = 'DATA_DIR\u202f: le disque est plein. Faites de la place, puis relancez.';
const HELD = 'DATA_DIR\u202f: un autre programme tient passerelle.db. Arrêtez-le, puis relancez.';
const SILENT =
  'DATABASE_URL\u202f: la base de données ne répond pas, ou ce qui répond n’est pas PostgreSQL. Vérifiez l’adresse et le port.';

/** The line to print for an error; undefined for a bug. */
export function refusalOf(error: unknown): string | undefined {
  if (error instanceof ConfigError) return `Configuration\u202f: ${error.message}`;
  if (error instanceof DirectoryInUse || error instanceof DatabaseTooNew || error instanceof SiteMoving)
    return error.message;
  if (error instanceof StorageUnreachable)
    return 'S3_ENDPOINT\u202f: le bucket ne répond pas, ou refuse ce compte. Vérifiez ses variables, puis relancez.';
  const { code = '', message = '', syscall } = error as NodeJS.ErrnoException;
  const known = BY_CODE[code];
  if (known) return known;
  // Node's error for a folder in which nothing can be created.
  if (code === 'ENOENT' && syscall === 'mkdir') return NOT_WRITABLE;
  // The PostgreSQL driver's own error, without a code: the server asks for a password and none was given.
  if (message.startsWith('SASL')) return REFUSED;
  if (code.startsWith('SQLITE_CORRUPT')) return DAMAGED;
  if (code.startsWith('SQLITE_READONLY')) return NOT_WRITABLE;
  if (['ENOSPC', 'EDQUOT', 'EFBIG'].includes(code)) return FULL;
  const trouble = databaseTrouble(error);
  if (trouble === 'full') return FULL;
  if (trouble === 'busy') return code.startsWith('SQLITE_') ? HELD : SILENT;
  if (trouble === 'away') return SILENT;
  return undefined;
}
