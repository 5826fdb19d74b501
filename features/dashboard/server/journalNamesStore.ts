import { type RawBuilder, sql } from 'kysely';
import type { NamedTable } from '#features/audit/server/reading.ts';
import { ITEM_KINDS } from '#features/content/shared/kinds.ts';
import { IMPORT_KINDS, type ImportKind } from '#features/stays/shared/terms.ts';
import type { Access } from '#platform/server/db/database.ts';
import type { Services } from '#platform/server/services.ts';
import { rangeOf, shortDay } from '#platform/shared/dates.ts';
import { MAIL_KINDS, type MailKind } from '#platform/shared/mails.ts';
import type { Right } from '#platform/shared/roles.ts';
import { dayAt } from '#platform/shared/time.ts';

/* Words for what lines of the journal are about, in the tables of all features. */

type Row = Record<string, string>;

export function namedTables({ config }: Services): NamedTable[] {
  const dayOf = (instant = '') => shortDay(dayAt(new Date(instant), config.TIME_ZONE));
  const mail = ({ genre, created_at }: Row) =>
    `«\u00a0${MAIL_KINDS[genre as MailKind]}\u00a0» du ${dayOf(created_at)}`;
  return [
    named('admins', 'reglages', 'Administrateur', sql`username as nom`),
    named('envois', 'sejours', 'Envoi', sql`genre, created_at`, (row) => `Envoi ${mail(row)}`),
    named(
      'envois_messages',
      'sejours',
      'E-mail',
      sql`created_at, (select genre from envois where envois.id = envoi_id) as genre`,
      (row) => `E-mail ${mail(row)}`,
    ),
    named('formateurs', 'sejours', 'Directeur', PERSON),
    named(
      'imports',
      'sejours',
      'Import',
      sql`genre, created_at`,
      ({ genre, created_at }) => `Import de ${IMPORT_KINDS[genre as ImportKind]} du ${dayOf(created_at)}`,
    ),
    named('livrets', 'sejours', 'Livret', sql`nom`),
    named('messages_contact', 'contenus', 'Message de contact', sql`nom`),
    {
      ...named(
        'photos',
        'photos',
        'Photo',
        sql`(select nom_stage from stages where stages.id = stage_id) as nom`,
        ({ id, nom }) => `Photo n°\u00a0${id}\u202f: ${nom}`,
      ),
      gone: 'effacée',
    },
    named('stages', 'sejours', 'Séjour', sql`nom_stage, date_debut, date_fin`, (row) => {
      const { nom_stage = '', date_debut = '', date_fin = '' } = row;
      // Names return each summer.
      return `Séjour\u202f: ${nom_stage}, ${rangeOf(date_debut, date_fin, 'fr')}`;
    }),
    named('stagiaires', 'sejours', 'Enfant', PERSON),
    ...ITEM_KINDS.map(({ table, label, titledBy }) => {
      const columns = [titledBy].flat().map((column) => sql`coalesce(${sql.ref(column)}, '')`);
      return {
        ...named(table, 'contenus', label, sql`${sql.join(columns, sql` || ' ' || `)} as nom`),
        gone: FEMININE.has(table) ? ('effacée' as const) : ('effacé' as const),
      };
    }),
  ];
}

const PERSON = sql`prenom || ' ' || nom as nom`;
const FEMININE = new Set<string>(['actualites', 'alaune']);

/** `columns`: what `words` needs beside the id. */
function named(
  table: string,
  right: Right,
  label: string,
  columns: RawBuilder<unknown>,
  words: (row: Row) => string = ({ nom }) => `${label}\u202f: ${nom}`,
): NamedTable {
  return {
    table,
    label,
    right,
    gone: 'effacé',
    names: async (db, ids) => {
      const { rows } = await rowsWith(db, table, columns, ids);
      return new Map(rows.map((row) => [Number(row.id), words(row)]));
    },
  };
}

function rowsWith(db: Access, table: string, columns: RawBuilder<unknown>, ids: readonly number[]) {
  return sql<Row>`select id, ${columns} from ${sql.table(table)} where id in (${sql.join(ids)})`.execute(db);
}
