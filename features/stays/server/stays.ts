import { journal } from '#features/audit/server/journal.ts';
import { lastChangeOf } from '#features/audit/server/store.ts';
import { WATCHED } from '#features/audit/shared/journal.ts';
import { readSettings } from '#features/site/server/settingsStore.ts';
import type { Actor } from '#platform/server/actor.ts';
import type { Access } from '#platform/server/db/database.ts';
import { conflict, notFound } from '#platform/server/errors.ts';
import { tryEraseCondemned } from '#platform/server/files/registerStore.ts';
import { etagOf } from '#platform/server/http/cache.ts';
import { type Handlers, type HandlersOf, MadeFile, RawJson } from '#platform/server/http/serve.ts';
import { generatePassword, OpenedPassword } from '#platform/server/secrets.ts';
import type { Services } from '#platform/server/services.ts';
import {
  endSessionOf,
  endSessions,
  listSessions,
  requireProof,
  type Session,
} from '#platform/server/sessionsStore.ts';
import { type Sheet, titles } from '#platform/server/sheets/sheets.ts';
import type { BodyOf } from '#platform/shared/call.ts';
import { shortDay } from '#platform/shared/dates.ts';
import { PASSWORD_TYPES, type PasswordType } from '#platform/shared/roles.ts';
import { dayAt } from '#platform/shared/time.ts';
import type { stayCalls, stayPasswordCalls, staySessionCalls } from '../calls.ts';
import { condemnBooklets } from './booklets.ts';
import { applyPhotoTime, requirePasswords } from './endedStaysStore.ts';
import { type PhotoTime, photoTimeOf, photoTimes } from './photoTime.ts';
import { rememberRemovals, removalMark } from './removalsStore.ts';
import {
  type CountedStay,
  deleteStay,
  getCountedStay,
  getStay,
  getStayToChange,
  hasPasswords,
  insertStay,
  listPublicStays,
  listStays,
  type NewStay,
  namedOf,
  openStayPassword,
  PASSWORD_ROLES,
  raiseVersion,
  requireOwnStay,
  type Stay,
  unlessTaken,
  updateStay,
  writeStayPasswords,
} from './staysStore.ts';

/** `followers`: what other features must do when a stay is deleted. */
export function stayHandlers(
  services: Services,
  followers: readonly StayFollower[],
): Omit<HandlersOf<typeof stayCalls>, 'GET /stages-suivi'> {
  return { ...stayLists(services), ...stayById(services, followers) };
}

/**
 * The public lists, each with its own wire names of the same columns, unchanged for compatibility. Where staff have chosen
 * that visitors see numbers only, a name and dates are blank, and a list without numbers says nothing: its shape stays,
 * and a program that draws a choice of stays from it has none to offer.
 */
const WIRE_NAMES = {
  stages: { id: 'id', nom_stage: 'nom_stage', date_debut: 'date_debut', date_fin: 'date_fin' },
  'unique-sejours': { nom_stage: 'nomSejour', date_debut: 'dateDebut', date_fin: 'dateFin' },
  'stages-names': { nom_stage: 'nomStage', date_debut: 'dateDebut', date_fin: 'dateFin' },
} as const;

function stayLists(services: Services) {
  const { database, config } = services;
  const publicList = async (list: keyof typeof WIRE_NAMES, session: Session | undefined) => {
    const { sejours_visiteurs: shown } = await readSettings(database.db, config);
    const isWhole = session?.role === 'admin' || shown === 'noms_et_dates';
    const names = WIRE_NAMES[list];
    const body =
      isWhole || 'id' in names ? await listPublicStays(database, names, isWhole) : Buffer.from('[]');
    return new RawJson(body, etagOf(body));
  };
  return {
    'GET /stages': ({ session }) => publicList('stages', session),
    'GET /unique-sejours': ({ session }) => publicList('unique-sejours', session),
    'GET /stages-names': ({ session }) => publicList('stages-names', session),
  } satisfies Partial<Handlers>;
}

function stayById(services: Services, followers: readonly StayFollower[]) {
  const { database, clock } = services;

  async function managed(db: Access, id: number) {
    const stay = await getCountedStay(db, id);
    return managedOf(stay, await photoTimeOf(services, db, stay));
  }

  /** Whether a stay that has photos or families keeps them for less long than it did before a change. */
  async function endsSooner(db: Access, before: Stay): Promise<boolean> {
    const timeOf = await photoTimes(services, db);
    const after = await getCountedStay(db, before.id);
    return after.photos + after.familles > 0 && timeOf(after).end < timeOf(before).end;
  }

  return {
    'GET /stages/:id': async ({ params: { id }, session }) => {
      requireOwnStay(session, id);
      if (session?.role === 'admin') return managed(database.db, id);
      const stay = await getStay(database.db, id);
      const seen = seenOf(stay, await photoTimeOf(services, database.db, stay));
      if (session?.role !== 'family') return seen;
      const { sejours_lieu: shown } = await readSettings(database.db, services.config);
      if (shown === 'tous' || (shown === 'liens' && session.link !== null)) return seen;
      const hidden = { adresse: '', horaires: '', telephone_urgence: '' };
      return { ...seen, ...hidden, lieu: shown === 'liens' ? ('lien' as const) : ('non' as const) };
    },
    'POST /stages': async ({ body, ...context }) => {
      const added = await addStay(services, valuesOf(body), context, managed);
      return { message: 'Séjour ajouté avec succès', ...added };
    },
    'PUT /stages/:id': async ({ params: { id }, body, ...context }) => {
      const work = database.write(async (transaction) => {
        const before = await getStayToChange(database, transaction, id);
        if (body.version !== undefined && body.version !== before.version) {
          const modifie = await lastChangeOf(transaction, 'stages', before);
          throw conflict(STALE, { actuel: await managed(transaction, id), modifie });
        }
        await updateStay(transaction, id, valuesOf(body), clock());
        if (await endsSooner(transaction, before)) requireProof(context.session, clock());
        await applyPhotoTime(services, transaction, id);
        await journal(transaction, context, clock(), 'modification', { table: 'stages', id });
        return managed(transaction, id);
      });
      return { message: 'Séjour modifié avec succès', ...(await unlessTaken(work)) };
    },
    'DELETE /stages/:id': async ({ params: { id }, ...context }) => {
      const what = await database.write(async (transaction) => {
        const { cle } = await getStayToChange(database, transaction, id);
        const what = goneWith(await getCountedStay(transaction, id));
        await condemnBooklets(transaction, id);
        for (const { endUploads } of followers) await endUploads?.(transaction, id);
        const erasures = [];
        for (const { erase } of followers) erasures.push(await erase?.(transaction, id));
        await endSessions(transaction, { stageId: id });
        await deleteStay(transaction, id);
        await rememberRemovals(transaction, [removalMark(services.secrets, 'stages', cle)], clock());
        await journal(transaction, context, clock(), `suppression, avec ${what}`, { table: 'stages', id });
        for (const erasure of erasures) await erasure?.note();
        return what;
      });
      await tryEraseCondemned(services);
      for (const { settle } of followers) await settle?.(id);
      return { message: `Séjour supprimé avec succès, avec ${what}` };
    },
  } satisfies Partial<Handlers>;
}

const STALE = 'Ce séjour a été modifié entre-temps par quelqu’un d’autre.';

function valuesOf({ version: _version, ...values }: BodyOf<'POST /stages'>) {
  return values;
}

/** A stay as its families and directors see it. */
function seenOf(stay: Stay, { lastDay }: PhotoTime) {
  const { adresse, horaires, telephone_urgence, consignes } = stay;
  const practical = { adresse, horaires, telephone_urgence, consignes, lieu: 'oui' as const };
  return { ...namedOf(stay), ...practical, photos_jusquau: lastDay };
}

/** A stay as staff see it: what its people see, plus retention, counts and version. */
function managedOf(stay: CountedStay, time: PhotoTime) {
  const { conservation_jours, familles, directeurs, photos, efface_le, version } = stay;
  const counts = { familles, directeurs, photos };
  return { ...seenOf(stay, time), conservation_jours, ...counts, efface_le, version };
}

/** What a deletion takes along: « ses mots de passe, 12 enfants et 2 affectations de directeurs ». */
function goneWith({ familles, directeurs, photos, livrets, bilans, evaluations }: CountedStay): string {
  const count = (number: number, one: string, many: string) =>
    number === 0 ? [] : [number === 1 ? one : `${number} ${many}`];
  return new Intl.ListFormat('fr').format([
    'ses mots de passe',
    ...count(familles, 'un enfant', 'enfants'),
    ...count(directeurs, 'une affectation de directeur', 'affectations de directeurs'),
    ...count(photos, 'une photo', 'photos'),
    ...count(livrets, 'un livret', 'livrets'),
    ...(bilans > 0 ? ['son bilan'] : []),
    ...count(evaluations, 'une évaluation', 'évaluations'),
  ]);
}

/**
 * Adds a stay with its passwords, and returns the result of `alongside`, which is given its id in the same
 * transaction. Throws 409 when another stay has this name and these dates.
 */
export function addStay<R>(
  { database, secrets, clock }: Services,
  values: NewStay,
  actor: Actor,
  alongside: (transaction: Access, id: number) => Promise<R>,
): Promise<R> {
  return unlessTaken(
    database.write(async (transaction) => {
      const now = clock();
      const id = await insertStay(transaction, secrets, values, now);
      await journal(transaction, actor, now, 'création', { table: 'stages', id });
      return alongside(transaction, id);
    }),
  );
}

/** What another feature must do with its own data of a stay when the stay is deleted. */
export interface StayFollower {
  /**
   * Erases what belongs to a locked stay that this transaction will delete. `note` records the erasures; it is the last
   * thing that the transaction does.
   */
  erase?(transaction: Access, stageId: number): Promise<{ note(): Promise<void> }>;
  /** Drops the uploads still under way to a locked stay; none of them has become a photo of the stay yet. */
  endUploads?(transaction: Access, stageId: number): Promise<void>;
  /** Erases the files, after the commit. */
  settle?(stageId: number): Promise<void>;
}

/** Handlers for the passwords of stays; each read of a password is written to the journal. */
export function stayPasswordHandlers(services: Services): HandlersOf<typeof stayPasswordCalls> {
  const { database, secrets, sheets, clock, config } = services;
  return {
    'GET /stage-passwords/:id': async ({ params: { id }, ...context }) => {
      const stay = await database.write(async (transaction) => {
        const found = await getStay(transaction, id);
        await journal(transaction, context, clock(), 'lecture des mots de passe', { table: 'stages', id });
        return found;
      });
      if (!hasPasswords(stay)) return [];
      return [
        {
          mdp_formateur: openStayPassword(secrets, stay, 'formateur').shownTo(context.session, clock()),
          mdp_stagiaire: openStayPassword(secrets, stay, 'stagiaire').shownTo(context.session, clock()),
        },
      ];
    },
    'POST /stage-passwords/:id/regenerer': async ({ params: { id }, body: { type }, ...context }) => {
      const password = new OpenedPassword(generatePassword());
      const mot_de_passe = password.shownTo(context.session, clock());
      await database.write(async (transaction) => {
        requirePasswords(await getStayToChange(database, transaction, id));
        await writeStayPasswords(transaction, secrets, id, { [type]: password.unseen });
        // The undo of an import must not restore the old password.
        await raiseVersion(transaction, id, clock());
        // Sessions opened with the old password end; those by the link of an address go on.
        await endSessions(
          transaction,
          { stageId: id, role: PASSWORD_ROLES[type], link: null },
          { why: 'mot_de_passe' },
        );
        const action = `nouveau mot de passe «\u00a0${PASSWORD_TYPES[type]}\u00a0»`;
        await journal(transaction, context, clock(), action, { table: 'stages', id });
      });
      return { message: 'Nouveau mot de passe enregistré', mot_de_passe };
    },
    'GET /download-passwords': async (context) => {
      const stays = await database.write(async (transaction) => {
        await journal(transaction, context, clock(), WATCHED.allPasswords);
        return listStays(transaction);
      });
      const { organisation_nom } = await readSettings(database.db, config);
      const day = shortDay(dayAt(clock(), config.TIME_ZONE));
      const about = `${organisation_nom || 'Passerelle'}, le ${day}`;
      const shown = (stay: Stay, type: PasswordType) =>
        hasPasswords(stay)
          ? openStayPassword(secrets, stay, type).shownTo(context.session, clock())
          : 'effacé';
      return new MadeFile(await sheets.write([passwordSheet(stays, shown, about)]), 'mot_de_passe.xlsx', 0);
    },
  };
}

export function staySessionHandlers({ database, clock }: Services): HandlersOf<typeof staySessionCalls> {
  return {
    'GET /stages/:id/connexions': async ({ params: { id } }) => {
      await getStay(database.db, id);
      const found = await listSessions(database.db, { stageId: id }, clock());
      return found.map((one) => ({ ...one, type: one.role === 'director' ? 'formateur' : 'stagiaire' }));
    },
    'DELETE /stages/:id/connexions/:connexion': async ({ params: { id, connexion }, ...context }) => {
      await database.write(async (transaction) => {
        if (!(await endSessionOf(transaction, { stageId: id }, connexion)))
          throw notFound('Cette connexion a déjà pris fin.');
        await journal(transaction, context, clock(), 'fin d’une connexion au séjour', {
          table: 'stages',
          id,
        });
      });
      return { message: 'Connexion terminée.' };
    },
    'DELETE /stages/:id/connexions': async ({ params: { id }, ...context }) => {
      await database.write(async (transaction) => {
        await getStay(transaction, id);
        await endSessions(transaction, { stageId: id }, { why: 'fermee' });
        await journal(transaction, context, clock(), 'fin des connexions au séjour', { table: 'stages', id });
      });
      return { message: 'Les connexions à ce séjour ont pris fin.' };
    },
  };
}

const COLUMNS = [
  { title: 'Numéro', width: 8 },
  { title: 'Séjour', width: 38 },
  { title: 'Date de début', width: 14 },
  { title: 'Date de fin', width: 12 },
  { title: PASSWORD_TYPES.formateur, width: 18 },
  { title: PASSWORD_TYPES.stagiaire, width: 18 },
];

function passwordSheet(
  stays: readonly Stay[],
  password: (stay: Stay, type: PasswordType) => string,
  about: string,
): Sheet {
  return {
    name: 'Mots de passe',
    about,
    widths: COLUMNS.map(({ width }) => width),
    rows: [
      titles(...COLUMNS.map(({ title }) => title)),
      ...stays.map((stay) => [
        stay.id,
        stay.nom_stage,
        new Date(stay.date_debut),
        new Date(stay.date_fin),
        password(stay, 'formateur'),
        password(stay, 'stagiaire'),
      ]),
    ],
  };
}
