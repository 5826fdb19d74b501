import {
  compareErasures,
  type Erasure,
  noteErasures,
  settleErased,
} from '#features/audit/server/erasures.ts';
import { journal } from '#features/audit/server/journal.ts';
import { insertErasures } from '#features/audit/server/store.ts';
import { employees, genreOf } from '#features/content/shared/kinds.ts';
import { cancelImportsOfPeople } from '#features/imports/server/importsStore.ts';
import { readSettings } from '#features/site/server/settingsStore.ts';
import { type Actor, SITE } from '#platform/server/actor.ts';
import type { Access } from '#platform/server/db/database.ts';
import { invalid, notFound } from '#platform/server/errors.ts';
import { tryEraseCondemned } from '#platform/server/files/registerStore.ts';
import { type HandlersOf, MadeFile } from '#platform/server/http/serve.ts';
import { findBackup } from '#platform/server/jobs/jobsStore.ts';
import { addressKey } from '#platform/server/mail/transport.ts';
import type { Erasing, KeptPlace, Place } from '#platform/server/personalData.ts';
import type { Services } from '#platform/server/services.ts';
import type { ReplyOf } from '#platform/shared/call.ts';
import { dayAt } from '#platform/shared/time.ts';
import type { Proof, personalCalls } from '../calls.ts';
import { type Exported, PLACES, personalDocument } from './document.ts';
import { printedProof, proofOf } from './proofs.ts';
import { getProof, insertProof, listProofs } from './proofsStore.ts';

export function personalHandlers(
  { config, clock, database, pdfs }: Services,
  personal: PersonalData,
): HandlersOf<typeof personalCalls> {
  const file = (body: Buffer, extension: string) =>
    new MadeFile(body, `donnees-personnelles-${dayAt(clock(), config.TIME_ZONE)}.${extension}`, 1);
  return {
    'POST /rgpd': async ({ body: { email }, ...actor }) => ({
      email,
      trouve: await personal.find(email, actor),
      preuves: await personal.proofs(email),
    }),
    'GET /rgpd/export': async ({ query, ...actor }) =>
      file(await personal.export(query.email, actor), 'json'),
    'GET /rgpd/document': async ({ query, ...actor }) =>
      file(await personal.document(query.email, actor), 'pdf'),
    'POST /rgpd/effacer': async ({ body: { email, confirmation }, ...actor }) => {
      if (addressKey(confirmation) !== addressKey(email)) throw notConfirmed();
      const efface = await personal.erase(email, actor);
      return { message: efface.length > 0 ? ERASED : NOTHING_ERASED, efface };
    },
    'GET /rgpd/preuves/:id': async ({ params: { id } }) => ({
      id,
      ...JSON.parse((await getProof(database.db, id)).contenu),
    }),
    'GET /rgpd/preuves/:id/document': async ({ params: { id } }) => {
      const { contenu, instant } = await getProof(database.db, id);
      const body = await pdfs.write(printedProof(JSON.parse(contenu)));
      return new MadeFile(body, `preuve-effacement-${instant.slice(0, 10)}.pdf`, 0);
    },
  };
}

const ERASED = 'Les données de cette adresse sont effacées définitivement.';
const NOTHING_ERASED =
  'Le site ne savait rien de cette adresse. Si une sauvegarde la contient et qu’elle est remise, elle y sera effacée.';

const notConfirmed = () =>
  invalid({ confirmation: 'ce n’est pas l’adresse à effacer.' }, { confirmation: 'Confirmation' });

type Found = ReplyOf<'POST /rgpd'>['trouve'][number];

export type PersonalData = ReturnType<typeof personalData>;

/** Kind of these erasures in the file of erasures. */
const GENRE = 'adresse';
/** An organisation that has not said its name yet. */
const NO_NAME = 'Le CSE';
const NOTHING = 'Le site ne sait rien de cette adresse.';

/** `allPlaces`, `allKept`: where features store addresses. Counting, exporting and erasing use the same list. */
export function personalData(services: Services, allPlaces: readonly Place[], allKept: readonly KeptPlace[]) {
  const { config, database, secrets, erasures, clock, cache, log } = services;
  const places = allPlaces.toSorted(inReadingOrder);
  const keptPlaces = allKept.toSorted(inReadingOrder);
  const fingerprintOf = (key: string) => secrets.fingerprint(`effacement:${GENRE}:${key}`);

  /** Runs a transaction that erases; after the commit, erases files and traces, and drops the cache of employees. */
  async function erasing<T>(work: (around: Omit<Erasing, 'key' | 'actor'>) => Promise<T>): Promise<T> {
    const result = await database.write((transaction) => work({ transaction, now: clock() }));
    await cache.drop(genreOf(employees));
    await tryEraseCondemned(services);
    await settleErased(services);
    return result;
  }

  async function eraseKey(one: Erasing, action: string): Promise<Found[]> {
    // An import under way could bring the address back: it is cancelled.
    await cancelImportsOfPeople(one.transaction);
    const { transaction, key, now } = one;
    const found = await countIn(places, transaction, key);
    for (const place of places) await place.erase(one);
    const { organisation_nom } = await readSettings(transaction, config);
    const proof = proofOf({
      organisation: organisation_nom || NO_NAME,
      now,
      timeZone: config.TIME_ZONE,
      erased: found.map(({ texte }) => texte),
      kept: (await countIn(keptPlaces, transaction, key)).map(({ texte }) => texte),
      backup: await findBackup(transaction),
    });
    const [empreinte, contenu] = [fingerprintOf(key), JSON.stringify(proof)];
    await insertProof(transaction, { empreinte, instant: now.toISOString(), contenu });
    await journal(transaction, one.actor, now, action);
    return found;
  }

  async function exported(email: string, actor: Actor): Promise<Exported> {
    const key = addressKey(email);
    const donnees: Exported['donnees'] = {};
    for (const { genre, list, listWhole = list } of [...places, ...keptPlaces]) {
      const rows = await listWhole(database.db, key);
      if (rows.length > 0) donnees[genre] = rows;
    }
    if (Object.keys(donnees).length === 0) throw notFound(NOTHING);
    await database.write((transaction) =>
      journal(transaction, actor, clock(), 'lecture des données d’une adresse'),
    );
    return { adresse: key, date: clock().toISOString(), donnees };
  }

  /** Keys of the addresses in this database that these erasures name. */
  async function listErased(erasures: readonly Erasure[]): Promise<string[]> {
    const fingerprints = new Set(erasures.map(({ empreinte }) => empreinte));
    const keys = new Set<string>();
    for (const place of places) for (const key of await place.listKeys(database.db)) keys.add(key);
    return [...keys].filter((key) => fingerprints.has(fingerprintOf(key)));
  }

  return {
    find: async (email: string, actor: Actor) => {
      await database.write((transaction) =>
        journal(transaction, actor, clock(), 'recherche d’une adresse e-mail'),
      );
      return countIn([...places, ...keptPlaces], database.db, addressKey(email));
    },
    proofs: async (email: string): Promise<Proof[]> => {
      const rows = await listProofs(database.db, fingerprintOf(addressKey(email)));
      return rows.map(({ id, contenu }) => ({ id, ...JSON.parse(contenu) }));
    },
    /** Everything known, as JSON; throws 404 when there is nothing. */
    export: async (email: string, actor: Actor) =>
      Buffer.from(`${JSON.stringify(await exported(email, actor), null, 2)}\n`),
    /** The same as a PDF in plain words. */
    document: async (email: string, actor: Actor) => {
      const { organisation_nom } = await readSettings(database.db, config);
      return personalDocument(services, await exported(email, actor), organisation_nom || NO_NAME);
    },
    /** Erases an address for good, and again on any older backup that is restored, even if nothing is known of it now. */
    erase: (email: string, actor: Actor) =>
      erasing(async (around) => {
        const key = addressKey(email);
        const found = await eraseKey({ ...around, key, actor }, 'effacement des données d’une adresse');
        const erased = { genre: GENRE, empreinte: fingerprintOf(key) };
        await noteErasures(around.transaction, erasures, [erased], around.now);
        return found;
      }),
    /** Repeats the erasures made since this database was saved, and finds out whether the log of erasures is whole. */
    redo: async () => {
      const { missed, unreadable, lost } = await compareErasures(database.db, erasures, [GENRE]);
      erasures.isWhole = unreadable + lost === 0;
      if (!erasures.isWhole)
        log.error({ unreadable, lost }, 'lines of the file of erasures cannot be read or are lost');
      if (missed.length === 0) return;
      const keys = await listErased(missed);
      await erasing(async (around) => {
        for (const key of keys) {
          await eraseKey({ ...around, key, actor: SITE }, 'effacement refait sur une base plus ancienne');
        }
        await insertErasures(around.transaction, missed);
      });
      log.warn(
        { erasures: missed.length, addresses: keys.length },
        'erasures were done again on an older database',
      );
    },
  };
}

const READING_ORDER = Object.keys(PLACES);

function inReadingOrder(one: KeptPlace, other: KeptPlace): number {
  return READING_ORDER.indexOf(one.genre) - READING_ORDER.indexOf(other.genre);
}

async function countIn(places: readonly KeptPlace[], db: Access, key: string): Promise<Found[]> {
  const found: Found[] = [];
  for (const { genre, list, text } of places) {
    const { length: nombre } = await list(db, key);
    if (nombre > 0) found.push({ genre, nombre, texte: text(nombre) });
  }
  return found;
}
