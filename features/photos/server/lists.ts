import { photoTimeOf, photoTimes } from '#features/stays/server/photoTime.ts';
import { getStay, listCountedStays, requireOwnStay } from '#features/stays/server/staysStore.ts';
import { invalid } from '#platform/server/errors.ts';
import type { Handlers } from '#platform/server/http/serve.ts';
import type { Services } from '#platform/server/services.ts';
import { isDay } from '#platform/shared/time.ts';
import { PHOTO_STATES } from '../shared/states.ts';
import { PHOTOS_LISTED } from '../shared/terms.ts';
import { findAttestation, findProof } from './attestationsStore.ts';
import { findNumber, listChanged, listErased } from './changesStore.ts';
import { describeClocks } from './clocks.ts';
import { listOpenRemovals } from './removalsStore.ts';
import {
  countPhotos,
  countStates,
  countWaitingPhotos,
  describePhotos,
  getPhotoStay,
  isListed,
  listByFingerprints,
  listPhotos,
  type PhotoRow,
  type Place,
  viewerOf,
} from './store.ts';
import { isWhole } from './versions.ts';

export function listHandlers(services: Services) {
  const { database, config, clock } = services;
  const { db } = database;
  return {
    'GET /stages-suivi': async () => {
      const timeOf = await photoTimes(services, db);
      const { toCheck, asked } = await countWaitingPhotos(db);
      return (await listCountedStays(db)).map((stay) => ({
        ...stay,
        photos_a_verifier: toCheck.get(stay.id) ?? 0,
        photos_demandees: asked.get(stay.id) ?? 0,
        photos_finies: timeOf(stay).isOver,
      }));
    },
    'GET /stages/:id/photos': async ({ params: { id }, query, session }) => {
      await getPhotoStay(services, db, session, id);
      const viewer = viewerOf(session, clock());
      const statut = viewer.isFamily ? undefined : query.statut;
      const after = query.apres === undefined ? undefined : readPlace(query.apres);
      // Read before the photos: a change in between is then reported twice rather than not at all.
      const numero = await findNumber(db, id);
      const rows = await listPhotos(db, id, viewer, { statut, after, limit: query.limite + 1 });
      const shown = rows.slice(0, query.limite);
      const last = rows.length > shown.length ? shown.at(-1) : undefined;
      return {
        photos: await describePhotos(db, id, shown, session),
        suite: last ? writePlace(last) : null,
        total: await countPhotos(db, id, viewer, statut),
        repere: writeCursor(numero, viewer.now),
      };
    },
    'GET /stages/:id/photos/changements': async ({ params: { id }, query, session }) => {
      await getPhotoStay(services, db, session, id);
      const viewer = viewerOf(session, clock());
      const numero = await findNumber(db, id);
      const repere = writeCursor(numero, viewer.now);
      const anew = { photos: [], parties: [], repere, tout: true };
      const since = readCursor(query.depuis);
      // A number ahead of ours was given before the database was restored from an older backup.
      if (!since || since.numero > numero) return anew;
      const limit = PHOTOS_LISTED + 1;
      // Read before the photos that still exist, so that none is in both lists.
      const erased = since.numero < numero ? await listErased(db, id, since, viewer, limit) : [];
      const rows = await listChanged(db, id, since, viewer, limit);
      if (rows.length + erased.length > PHOTOS_LISTED) return anew;
      const isShown = (row: PhotoRow) => isListed(row, viewer);
      const photos = await describePhotos(db, id, rows.filter(isShown), session);
      const gone = rows.filter((row) => !isShown(row)).map((row) => row.id);
      return { photos, parties: [...gone, ...erased], repere, tout: false };
    },
    'GET /stages/:id/photos/suivi': async ({ params: { id }, session }) => {
      const stay = await getPhotoStay(services, db, session, id);
      const { lastDay, end } = await photoTimeOf(services, db, stay);
      const removals = await listOpenRemovals(db, id);
      return {
        ...(await countStates(db, id, clock())),
        demandes: removals.length,
        plus_ancienne_demande: removals[0]?.created_at ?? null,
        attestation: (await findAttestation(db, id)) ?? null,
        preuve: await findProof(db, id),
        photos_jusquau: lastDay,
        fin: end.toISOString(),
        horloges: await describeClocks(db, stay, config.TIME_ZONE),
      };
    },
    // So that a device asks which files have arrived before it sends a byte.
    'POST /photos/connues': async ({ body: { stageId, empreintes }, session }) => {
      requireOwnStay(session, stageId);
      await getStay(db, stageId);
      if (empreintes.length === 0) return { connues: [] };
      const rows = await listByFingerprints(db, stageId, empreintes);
      // One in the bin is sent again by whoever chooses it again, as if it had been erased.
      const there = rows.filter(({ statut }) => !PHOTO_STATES[statut].isInBin);
      const connues = there.map(({ empreinte, id, version, statut, refus, a_jpeg }) => {
        // A light photo has another state while its full version may still turn out not to be one.
        const isSettled = version === 'legere' || isWhole({ a_jpeg }) || PHOTO_STATES[statut].isUnreadable;
        return { empreinte, id, version, statut: isSettled ? statut : ('recue' as const), refus };
      });
      return { connues };
    },
  } satisfies Partial<Handlers>;
}

function writePlace({ jour, rang, id }: Place): string {
  return [jour, rang, id].join('_');
}

function readPlace(text: string): Place {
  const [jour = '', rang = '', id = '', ...rest] = text.split('_');
  const isPlace = isDay(jour) && /^[\dTZ:.+-]{1,30}$/.test(rang) && /^[1-9]\d{0,14}$/.test(id);
  if (!isPlace || rest.length > 0)
    throw invalid({ apres: 'la «\u00a0suite\u00a0» d’une réponse est attendue.' });
  return { jour, rang, id: Number(id) };
}

/*
 * The cursor (`repere`) of a list of photos: the number of the last change, and the instant of reading, because a
 * scheduled publication takes effect without a new number.
 */

interface Cursor {
  numero: number;
  instant: Date;
}

function writeCursor(numero: number, instant: Date): string {
  return `${numero}.${instant.getTime()}`;
}

export function readCursor(text: string): Cursor | undefined {
  const [, numero, instant] = /^(\d{1,15})\.(\d{1,15})$/.exec(text) ?? [];
  const date = new Date(Number(instant));
  if (numero === undefined || Number.isNaN(date.getTime())) return undefined;
  return { numero: Number(numero), instant: date };
}
