import { createWriteStream } from 'node:fs';
import { mkdir, readdir, rename, rm, rmdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { PHOTO_SIZES, PHOTOS_BEFORE } from '#features/photos/shared/terms.ts';
import { readSettings } from '#features/site/server/settingsStore.ts';
import { atOnce } from '#platform/server/concurrency.ts';
import type { Access } from '#platform/server/db/database.ts';
import type { WholeRow } from '#platform/server/db/json.ts';
import type { TableKeys } from '#platform/server/db/tables.ts';
import { listTables, readRows, type TableName } from '#platform/server/db/wholeTables.ts';
import { conflict } from '#platform/server/errors.ts';
import {
  type HeldFile,
  listHeldFiles,
  PHOTOS_FOLDER,
  RECEIVED_FOLDER,
} from '#platform/server/files/registerStore.ts';
import type { Services } from '#platform/server/services.ts';
import { unlessMissing } from '#platform/server/storage/storage.ts';

/*
 * The whole site as files that any program reads: its tables as CSV and JSON, its pictures and PDFs, and what each of
 * them is. For whoever leaves; to come back, there are backups.
 */

/** What is written of a table, and without which columns; a text: why it is left out. */
type Part = readonly [file: string, what: string, without?: readonly string[]] | string;

const OF_THE_SITE = 'ne sert qu’à la marche du site';
const SECRETS = 'des secrets, ou ce qui en vient';
const OF_IMPORTS = 'ne sert qu’à annuler un import';

export const PARTS: Record<TableName, Part> = {
  actualites: ['actualites', 'Les actualités.', ['plie']],
  alaune: ['alaune', 'Les éléments À la Une.', ['plie']],
  avantage: ['avantages', 'Les avantages.', ['plie']],
  events: ['evenements', 'Les événements.', ['plie']],
  logos: ['partenaires', 'Les logos partenaires.'],
  documents: ['comptes-rendus', 'Les comptes rendus ; url nomme leur PDF.'],
  documents_pages: 'le texte des PDF, qui sont là',
  employes: ['employes', 'L’organigramme ; manager_id est l’id de qui est au-dessus.', ['plie']],
  stages: [
    'sejours',
    'Les séjours, sans leurs mots de passe (« Mots de passe des séjours » dans le portail).',
    ['cle', 'mdp_formateur', 'mdp_stagiaire', 'prevenu_pour', 'fini_le'],
  ],
  formateurs: ['directeurs', 'Les directeurs.', ['cle_mail']],
  affectations: ['affectations', 'Qui dirige quel séjour, et comme quoi (cat).'],
  stagiaires: ['enfants', 'Les enfants inscrits et les adresses de leur famille.', ['cle']],
  livrets: ['livrets', 'Les livrets ; stage_id vide : pour tous les séjours.', ['cle']],
  bilans: ['bilans', 'Les bilans des directeurs, une section par ligne.'],
  evaluations: ['evaluations', 'Les réponses des familles, sans rien qui dise de qui.', ['cle']],
  jours: ['mots-du-jour', 'Les mots du jour des séjours.'],
  photos: [
    'photos',
    'Les photos des séjours ; leurs fichiers sont fichiers/photos/{nom}…, refusées et corbeille comprises (statut).',
    ['empreinte', 'numero', 'cachee', 'apercu', 'retouche', 'rang', 'a_jpeg', 'a_jpeg_leger', 'a_480'],
  ],
  photos_retraits: ['photos-retraits', 'Les demandes de retrait des familles.', ['session_id']],
  photos_reponses: 'des réponses qui attendent la famille qui a demandé',
  preuves_effacement: [
    'preuves-effacement',
    'Ce qui a été effacé à la demande de quelqu’un, sans son adresse.',
    ['empreinte'],
  ],
  attestations: ['attestations', 'Qui a attesté avoir les droits à l’image, pour quel séjour.'],
  messages_contact: ['messages', 'Les messages reçus par la page de contact.'],
  fichiers: [
    'fichiers',
    'Les fichiers : dossier, nom, l’objet auquel ils appartiennent (table et id), type, taille et SHA-256.',
    ['largeurs', 'crc32', 'verifie_le', 'abime_le'],
  ],
  journal: ['journal', 'Le journal, sans les maillons de sa chaîne.', ['chaine']],
  journal_tete: SECRETS,
  reglages: 'dans reglages.json, sans les secrets',
  pages_vues: ['pages-vues', 'Combien de fois chaque page a été vue, par jour.'],
  admins: SECRETS,
  seconds_facteurs: SECRETS,
  codes_secours: SECRETS,
  cles_acces: SECRETS,
  appareils: SECRETS,
  defis: OF_THE_SITE,
  sessions: SECRETS,
  sessions_finies: SECRETS,
  effacements: 'des empreintes d’adresses effacées',
  exemples: OF_THE_SITE,
  reprises: OF_THE_SITE,
  imports: OF_IMPORTS,
  imports_familles: OF_IMPORTS,
  imports_sejours: OF_IMPORTS,
  imports_directeurs: OF_IMPORTS,
  imports_titres: OF_THE_SITE,
  imports_reponses: OF_THE_SITE,
  imports_laissees: OF_IMPORTS,
  retraits: 'des empreintes de ce qui a été retiré',
  alertes: OF_THE_SITE,
  photos_flux: OF_THE_SITE,
  photos_effacees: OF_THE_SITE,
  photos_horloges: OF_THE_SITE,
  photos_envois: OF_THE_SITE,
  photos_avant: 'des photos d’avant leur floutage, qui ne sont pas là non plus',
  photos_selections: OF_THE_SITE,
  photos_ouvertures: OF_THE_SITE,
  tentatives: OF_THE_SITE,
  creations: OF_THE_SITE,
  planifications: OF_THE_SITE,
  horloge: OF_THE_SITE,
  rafales: OF_THE_SITE,
  destinataires: OF_THE_SITE,
  envois: 'les e-mails partis ou en attente',
  envois_messages: 'les e-mails partis ou en attente',
  envois_voies: OF_THE_SITE,
  envois_heures: OF_THE_SITE,
  jobs: OF_THE_SITE,
};

const AT_ONCE = 4;

export interface Exported {
  rows: number;
  files: number;
  /** Keys of files that the site has lost. */
  missing: string[];
}

/**
 * Writes all into a folder that does not exist yet, or is empty; it appears under its name once it is whole. Throws 409 for
 * one that is not empty, and where a run that was killed has left its own.
 */
export async function exportTo(site: Services, keys: TableKeys, folder: string): Promise<Exported> {
  if ((await readdir(folder).catch(() => [])).length > 0)
    throw conflict(`${folder} n’est pas vide\u202f: choisissez un autre dossier.`);
  const partial = `${folder}.en-cours`;
  await mkdir(dirname(partial), { recursive: true });
  try {
    await mkdir(partial);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    throw conflict(`${partial} reste d’un export interrompu\u202f: effacez-le, puis recommencez.`);
  }
  try {
    const exported = await fill(site, keys, partial);
    await rmdir(folder).catch(() => {});
    await rename(partial, folder);
    return exported;
  } catch (error) {
    await rm(partial, { recursive: true, force: true });
    throw error;
  }
}

async function fill(site: Services, keys: TableKeys, folder: string): Promise<Exported> {
  const { rows, files } = await writeTexts(site, keys, (name, text) =>
    pipeline(Readable.from(text), createWriteStream(join(folder, name))),
  );
  const missing: string[] = [];
  await atOnce(AT_ONCE, files, async ({ key }) => {
    const path = join(folder, pathOf(key));
    await mkdir(dirname(path), { recursive: true });
    const file = await unlessMissing(site.storage.read(key));
    if (file) await pipeline(file, createWriteStream(path));
    else missing.push(key);
  });
  return { rows, files: files.length - missing.length, missing };
}

type WriteText = (name: string, text: AsyncIterable<string> | string[]) => Promise<void>;

/** Writes the tables, the settings and what they are, as of one instant; the files that belong to them are left to do. */
export async function writeTexts(
  { database, config }: Services,
  keys: TableKeys,
  write: WriteText,
): Promise<{ rows: number; files: WholeFile[] }> {
  const { counts, settings, files } = await database.snapshot(async (db) => ({
    counts: await writeTables(db, keys, write),
    settings: await readSettings(db, config),
    files: await listWholeFiles(db),
  }));
  await write('reglages.json', [`${JSON.stringify(settings, null, 2)}\n`]);
  await write('LISEZMOI.md', [description(counts)]);
  return { rows: [...counts.values()].reduce((sum, count) => sum + count, 0), files };
}

export type WholeFile = Required<HeldFile>;

export async function listWholeFiles(db: Access): Promise<WholeFile[]> {
  return (await listHeldFiles(db)).filter(isWhole);
}

export function pathOf(key: string): string {
  const [dossier = '', , nom = ''] = key.split('/');
  return `fichiers/${dossier}/${nom}`;
}

const SMALLER = [PHOTO_SIZES.w320, PHOTO_SIZES.w480, PHOTO_SIZES.w960].map((side) => `_${side}.webp`);

/** Whether it is the largest of its sizes, and may be seen outside; narrower ones of contents have no hash. */
function isWhole(file: HeldFile): file is WholeFile {
  const { key, kept } = file;
  if (kept === undefined || kept.objet === PHOTOS_BEFORE || key.startsWith(`${RECEIVED_FOLDER}/`))
    return false;
  return !(key.startsWith(`${PHOTOS_FOLDER}/`) && SMALLER.some((ending) => key.endsWith(ending)));
}

async function writeTables(db: Access, keys: TableKeys, write: WriteText): Promise<Map<TableName, number>> {
  const counts = new Map<TableName, number>();
  const known = new Map((await db.introspection.getTables()).map(({ name, columns }) => [name, columns]));
  for (const table of await listTables(db, keys)) {
    const part = PARTS[table];
    if (typeof part === 'string') continue;
    const [file, , without = []] = part;
    const columns = (known.get(table) ?? [])
      .map(({ name }) => name)
      .filter((name) => !without.includes(name));
    const rows = () => rowsOf(db, table, keys, columns);
    await write(`${file}.csv`, csvOf(columns, rows()));
    let count = 0;
    async function* counted() {
      for await (const row of rows()) {
        count++;
        yield row;
      }
    }
    await write(`${file}.json`, jsonOf(counted()));
    counts.set(table, count);
  }
  return counts;
}

async function* rowsOf(
  db: Access,
  table: TableName,
  keys: TableKeys,
  columns: readonly string[],
): AsyncGenerator<WholeRow> {
  for await (const rows of readRows(db, table, keys)) {
    for (const row of rows)
      yield Object.fromEntries(columns.map((name) => [name, row[name] ?? null])) as WholeRow;
  }
}

/** An array, an object a line. */
async function* jsonOf(rows: AsyncIterable<WholeRow>): AsyncGenerator<string> {
  let before = '[';
  for await (const row of rows) {
    yield `${before}\n${JSON.stringify(row)}`;
    before = ',';
  }
  yield before === '[' ? '[]\n' : '\n]\n';
}

/** As Excel opens it in French: UTF-8 with its mark, semicolons; a text that would be a formula is a text. */
async function* csvOf(columns: string[], rows: AsyncIterable<WholeRow>): AsyncGenerator<string> {
  const { default: csv } = await import('papaparse');
  const lineOf = (cells: unknown[]) =>
    `${csv.unparse([cells], { delimiter: ';', escapeFormulae: true })}\r\n`;
  yield `\ufeff${lineOf(columns)}`;
  for await (const row of rows) yield lineOf(columns.map((name) => row[name]));
}

function description(counts: ReadonlyMap<TableName, number>): string {
  const parts = Object.entries(PARTS) as [TableName, Part][];
  const there = parts.flatMap(([table, part]) =>
    typeof part === 'string'
      ? []
      : [`- \`${part[0]}.csv\`, \`${part[0]}.json\` (${counts.get(table) ?? 0}) : ${part[1]}`],
  );
  const absent = parts.flatMap(([table, part]) =>
    typeof part === 'string' ? [`- \`${table}\` : ${part}`] : [],
  );
  return `# Le contenu du site, en fichiers ouverts

Chaque table est là deux fois : en CSV (UTF-8, points-virgules, une ligne de titres) et en JSON (une liste d’objets). Les
instants sont en UTC, au format ISO 8601 ; les dates des événements sont celles de leur lieu. 1 et 0 veulent dire oui et non.
Dans le CSV, un texte qui commence par =, +, - ou @ est précédé d’une apostrophe ; pas dans le JSON. Un nom de fichier
(image_url, images, url, photo…) se trouve dans \`fichiers/\`, sous le dossier que nomme \`fichiers.csv\`.

Ce dossier contient les noms d’enfants et leurs photos : gardez-le comme le site lui-même, et effacez-le ensuite.

${there.join('\n')}
- \`reglages.json\` : l’identité de l’organisation et les réglages.
- \`fichiers/\` : les images, les photos et les PDF, chacun dans sa plus grande taille.

N’y sont pas :

${absent.join('\n')}
`;
}
