import { PHOTO_STATES, PHOTOS_LISTED, type PhotoState } from '#features/photos/shared/terms.ts';
import { readSettings } from '#features/site/server/settingsStore.ts';
import { getStay, photosUntil, requireOwnStay } from '#features/stays/server/staysStore.ts';
import type { Access } from '#platform/server/db/open.ts';
import { invalid } from '#platform/server/http/errors.ts';
import type { Handlers } from '#platform/server/http/serve.ts';
import type { Services } from '#platform/server/services.ts';
import { isDay } from '#platform/shared/time.ts';
import {
  countPhotos,
  describePhotos,
  findAttestation,
  findProof,
  getPhotoStay,
  isSeen,
  listOpenRemovals,
  listPhotos,
  type PhotoRow,
  type Place,
  seenAt,
  type Viewer,
  viewerOf,
} from './store.ts';

/** Handlers that read the photos of a stay: the list, the changes since a cursor, the overview. */
export function listHandlers(services: Services) {
  const { database, config, clock } = services;
  const { db } = database;
  return {
    'GET /stages/:id/photos': async ({ params: { id }, query, session }) => {
      await getPhotoStay(services, db, session, id);
      const viewer = viewerOf(session, clock());
      const statut = viewer.isFamily ? undefined : query.statut;
      const after = query.apres === undefined ? undefined : readPlace(query.apres);
      // Read before the photos: a change in between is then reported twice rather than not at all.
      const numero = await readNumber(db, id);
      const rows = await listPhotos(db, id, viewer, { statut, after, limit: query.limite + 1 });
      const shown = rows.slice(0, query.limite);
      const last = rows.length > shown.length ? shown.at(-1) : undefined;
      return {
        photos: await describePhotos(db, id, shown, viewer),
        suite: last ? writePlace(last) : null,
        total: await countPhotos(db, id, viewer, statut),
        repere: markOf(numero, viewer.now),
      };
    },
    'GET /stages/:id/photos/changements': async ({ params: { id }, query, session }) => {
      await getPhotoStay(services, db, session, id);
      const viewer = viewerOf(session, clock());
      const numero = await readNumber(db, id);
      const repere = markOf(numero, viewer.now);
      const anew = { photos: [], parties: [], repere, tout: true };
      const since = readMark(query.depuis);
      // A number ahead of ours was given before the database was restored from an older backup.
      if (!since || since.numero > numero) return anew;
      const limit = PHOTOS_LISTED + 1;
      // Read before the photos that still exist, so that none is in both lists.
      const erased = since.numero < numero ? await listErased(db, id, since, viewer, limit) : [];
      const rows = await listChanged(db, id, since, viewer, limit);
      if (rows.length + erased.length > PHOTOS_LISTED) return anew;
      const isShown = (row: PhotoRow) => !viewer.isFamily || isSeen(row, viewer.now);
      const photos = await describePhotos(db, id, rows.filter(isShown), viewer);
      const gone = rows.filter((row) => !isShown(row)).map((row) => row.id);
      return { photos, parties: [...gone, ...erased], repere, tout: false };
    },
    'GET /stages/:id/photos/suivi': async ({ params: { id }, session }) => {
      const stay = await getPhotoStay(services, db, session, id);
      const { photos_conservation_jours: days } = await readSettings(db, config);
      const { lastDay, end } = photosUntil(stay, days, config.TIME_ZONE);
      const removals = await listOpenRemovals(db, id);
      return {
        ...(await countStates(db, id, clock())),
        demandes: removals.length,
        plus_ancienne_demande: removals[0]?.created_at ?? null,
        attestation: (await findAttestation(db, id)) ?? null,
        preuve: await findProof(db, id),
        photos_jusquau: lastDay,
        fin: end.toISOString(),
      };
    },
  } satisfies Partial<Handlers>;
}

async function countStates(db: Access, stageId: number, now: Date) {
  const rows = await db
    .selectFrom('photos')
    .select(({ fn, eb }) => [
      'statut',
      fn.countAll<number>().as('nombre'),
      fn.sum<number>('octets').as('octets'),
      fn.sum<number>(eb.case().when('version', '=', 'legere').then(1).else(0).end()).as('legeres'),
      fn
        .sum<number>(eb.case().when('publiee_le', '>', now.toISOString()).then(1).else(0).end())
        .as('programmees'),
    ])
    .where('stage_id', '=', stageId)
    .groupBy('statut')
    .execute();
  // PostgreSQL sums numbers into one that it sends as text.
  const sum = (what: 'octets' | 'legeres') => rows.reduce((all, row) => all + Number(row[what]), 0);
  const ofState = (statut: PhotoState) => rows.find((row) => row.statut === statut);
  const states = Object.keys(PHOTO_STATES) as PhotoState[];
  return {
    par_statut: Object.fromEntries(states.map((statut) => [statut, ofState(statut)?.nombre ?? 0])) as Record<
      PhotoState,
      number
    >,
    programmees: Number(ofState('publiee')?.programmees ?? 0),
    legeres: sum('legeres'),
    octets: sum('octets'),
  };
}

function writePlace({ jour, prise_le, id }: Place): string {
  return [jour, prise_le, id].join('_');
}

function readPlace(text: string): Place {
  const [jour = '', prise_le = '', id = '', ...rest] = text.split('_');
  const isPlace = isDay(jour) && /^[\dTZ:.-]{1,30}$/.test(prise_le) && /^[1-9]\d{0,14}$/.test(id);
  if (!isPlace || rest.length > 0)
    throw invalid({ apres: 'la «\u00a0suite\u00a0» d’une réponse est attendue.' });
  return { jour, prise_le, id: Number(id) };
}

/* Changes in the photos of a stay since a cursor. */

/** Number of the last change of a stay's photos; 0 before the first. */
async function readNumber(db: Access, stageId: number): Promise<number> {
  const row = await db
    .selectFrom('photos_flux')
    .select('numero')
    .where('stage_id', '=', stageId)
    .executeTakeFirst();
  return row?.numero ?? 0;
}

/** Photos that changed after a number or became visible after an instant; for families, only those they see or saw. */
function listChanged(
  db: Access,
  stageId: number,
  since: { numero: number; instant: Date },
  { isFamily, now }: Viewer,
  limit: number,
): Promise<PhotoRow[]> {
  return db
    .selectFrom('photos')
    .selectAll()
    .where('stage_id', '=', stageId)
    .where((expression) => {
      const { eb, and, or } = expression;
      const isShown = seenAt(now)(expression);
      const hasCome = and([isShown, eb('publiee_le', '>', since.instant.toISOString())]);
      const isTheirs = or([isShown, eb('cachee', '>', since.numero)]);
      const hasChanged = eb('numero', '>', since.numero);
      return or([isFamily ? and([hasChanged, isTheirs]) : hasChanged, hasCome]);
    })
    .limit(limit)
    .execute();
}

/** Ids of photos erased after a number; for families, only those still visible to them at that number. */
async function listErased(
  db: Access,
  stageId: number,
  { numero }: { numero: number },
  { isFamily }: Viewer,
  limit: number,
): Promise<number[]> {
  const rows = await db
    .selectFrom('photos_effacees')
    .select('photo_id')
    .where('stage_id', '=', stageId)
    .where('numero', '>', numero)
    .$if(isFamily, (query) => query.where('cachee', '>', numero))
    .limit(limit)
    .execute();
  return rows.map(({ photo_id }) => photo_id);
}

/** Tells which files have already arrived, so that a device asks before it sends a byte. */
export function knownHandlers({ database: { db } }: Services) {
  return {
    'POST /photos/connues': async ({ body: { stageId, empreintes }, session }) => {
      requireOwnStay(session, stageId);
      await getStay(db, stageId);
      if (empreintes.length === 0) return { connues: [] };
      const connues = await db
        .selectFrom('photos')
        .select(['empreinte', 'id', 'version', 'statut', 'refus'])
        .where('stage_id', '=', stageId)
        .where('empreinte', 'in', empreintes)
        .execute();
      return { connues };
    },
  } satisfies Partial<Handlers>;
}

/*
 * The cursor (`repere`) of a list of photos: the number of the last change, and the instant of reading, because a
 * scheduled publication takes effect without a new number.
 */

interface Mark {
  numero: number;
  instant: Date;
}

function markOf(numero: number, instant: Date): string {
  return `${numero}.${instant.getTime()}`;
}

/** Parses a cursor; undefined when the text is not one. */
export function readMark(text: string): Mark | undefined {
  const [, numero, instant] = /^(\d{1,15})\.(\d{1,15})$/.exec(text) ?? [];
  const date = new Date(Number(instant));
  if (numero === undefined || Number.isNaN(date.getTime())) return undefined;
  return { numero: Number(numero), instant: date };
}
