import { journal } from '#features/audit/server/journal.ts';
import { findAttestation, insertAttestation } from '#features/photos/server/attestationsStore.ts';
import { beforesOf, dropBefores } from '#features/photos/server/binStore.ts';
import { numberChange } from '#features/photos/server/changesStore.ts';
import { requireDayOf } from '#features/photos/server/days.ts';
import {
  type Deciding,
  type Held,
  noSuchPhoto,
  ofPhotos,
  onPhotos,
  requirePrepared,
  several,
} from '#features/photos/server/held.ts';
import { readCursor } from '#features/photos/server/lists.ts';
import {
  countAsked,
  countHidden,
  hasBeenDecided,
  listAnswers,
  listObjections,
  noteAnswersRead,
  putRemoval,
} from '#features/photos/server/removalsStore.ts';
import { changePhotos, leaves, type TransitionName } from '#features/photos/server/states.ts';
import {
  describePhotos,
  getPhotoStay,
  holdPhotoStay,
  isSeen,
  listByIds,
  type PhotoRow,
} from '#features/photos/server/store.ts';
import { type Decision, PHOTO_STATES } from '#features/photos/shared/states.ts';
import {
  ATTESTATION,
  ATTESTATION_FORM,
  REMOVALS_A_DAY,
  REMOVALS_OF_STAY,
} from '#features/photos/shared/terms.ts';
import { requirePhotos } from '#features/stays/server/endedStaysStore.ts';
import { photoTimeOf } from '#features/stays/server/photoTime.ts';
import { signature } from '#platform/server/actor.ts';
import type { Access } from '#platform/server/db/database.ts';
import { conflict, HttpError, invalid, unauthorized } from '#platform/server/errors.ts';
import { tryEraseCondemned } from '#platform/server/files/registerStore.ts';
import type { Handlers } from '#platform/server/http/serve.ts';
import type { Services } from '#platform/server/services.ts';
import type { Session } from '#platform/server/sessionsStore.ts';
import type { BodyOf } from '#platform/shared/call.ts';

type Changes = BodyOf<'PATCH /photos/:id'>;

/** Handlers of decisions on photos: publish, refuse, take down, correct, hide on a family's request. */
export function decisionHandlers(services: Services) {
  return {
    'PATCH /photos': ({ body: { ids, ...changes }, ...context }) => change(services, context, ids, changes),
    'PATCH /photos/:id': ({ params: { id }, body, ...context }) => change(services, context, [id], body),
    ...removalHandlers(services),
    ...attestationHandlers(services),
  } satisfies Partial<Handlers>;
}

function change(services: Services, context: Deciding, named: readonly number[], changes: Changes) {
  const { statut, motif, reponse, legende, jour } = changes;
  requireMeaning(changes);
  return onPhotos(
    services,
    context,
    named,
    'stay',
    async ({ transaction, stay, photos: before, ids, now }) => {
      const { end } = await photoTimeOf(services, transaction, stay);
      if (statut === 'publiee') await requirePhotos(services, transaction, stay);
      if (jour !== undefined) requireDayOf(stay, jour);
      requirePublicationTime(changes, end, now);
      requirePrepared(before);
      requireCurrentList(before, changes);
      requireTakenBack(before, changes);
      if (statut === 'publiee') await requireAttestation(transaction, stay.id);
      if (statut === 'publiee' && !changes.malgre_demandes)
        await requireNoObjection(transaction, before, services.config);
      const seen = before.filter((photo) => isSeen(photo, now));
      const isShown = statut === 'publiee' && changes.publiee_le === undefined;
      const numero = await numberChange(transaction, stay.id, isShown || seen.length > 0);
      const transition = statut && DECIDED_BY[statut];
      const publiee_le = changes.publiee_le && new Date(changes.publiee_le).toISOString();
      const { acteur } = signature(context);
      const isTakenBack = changes.ecartee === false;
      const values = { transition, publiee_le, motif, reponse, legende, jour, acteur, isTakenBack, numero };
      if ((await changePhotos(transaction, ids, values, now)) < ids.length)
        throw conflict(
          'Rien n’a changé\u202f: une de ces photos est dans un état que cette décision ne change pas.',
        );
      const after = await listByIds(transaction, ids);
      const photos = await describePhotos(transaction, stay.id, after, context.session);
      const wereHidden = before.every((photo) => PHOTO_STATES[photo.statut].isAsked);
      return {
        answer: { message: saidOf(changes, photos.length, wereHidden), photos },
        action: actionOf(statut, ids.length),
        // What was ruled out before anybody saw it must not come back ticked on an older database.
        hidden:
          statut === undefined || PHOTO_STATES[statut].isPublic ? [] : statut === 'refusee' ? before : seen,
      };
    },
  );
}

/** Fields that belong to some decisions only. */
const ONLY_WITH = [
  ['publiee_le', ['publiee'], 'une heure va avec une publication.'],
  ['malgre_demandes', ['publiee'], 'cette confirmation va avec une publication.'],
  ['reponse', ['publiee', 'refusee'], 'une réponse va avec une publication ou un refus.'],
  ['motif', ['refusee'], 'un motif va avec un refus.'],
  ['ecartee', ['publiee', 'a_verifier'], 'une photo écartée est reprise pour être vérifiée ou publiée.'],
] as const satisfies [keyof Changes, Decision[], string][];

/** Throws 422 for an empty change, or a field that belongs to another decision. */
function requireMeaning(changes: Changes): void {
  const { statut, legende, jour } = changes;
  for (const [field, decisions, why] of ONLY_WITH)
    if (
      changes[field] !== undefined &&
      changes[field] !== '' &&
      !decisions.some((decision) => decision === statut)
    )
      throw invalid({ [field]: why }, LABELS);
  if (statut === undefined && legende === undefined && jour === undefined)
    throw new HttpError(422, 'Aucun changement n’est demandé.');
}

const LABELS = {
  publiee_le: 'Heure de publication',
  motif: 'Motif',
  malgre_demandes: 'Confirmation',
  ecartee: 'Photo écartée',
  reponse: 'Réponse à la famille',
};

/** Throws 422 when the publication time has passed, or falls after the end of the stay's photos. */
function requirePublicationTime({ publiee_le }: Changes, end: Date, now: Date): void {
  if (publiee_le === undefined) return;
  const hour = new Date(publiee_le);
  const wrong = (why: string) => invalid({ publiee_le: why }, LABELS);
  if (hour <= now) throw wrong('cette heure est passée.');
  if (hour >= end) throw wrong('les photos de ce séjour ne seront plus en ligne à cette heure.');
}

/** Throws 409 when a photo to be shown again was taken down or refused after the list was read (`repere`). */
function requireCurrentList(photos: readonly PhotoRow[], { statut: wanted, repere }: Changes): void {
  const cursor = repere === undefined ? undefined : readCursor(repere);
  if (!cursor || wanted === undefined || PHOTO_STATES[wanted].isHidden) return;
  const hidden = photos.filter(
    ({ statut, numero }) =>
      numero > cursor.numero &&
      PHOTO_STATES[statut].isHidden &&
      (PHOTO_STATES[statut].isAsked || PHOTO_STATES[wanted].isPublic),
  ).length;
  if (hidden === 0) return;
  const which =
    hidden === 1
      ? 'une de ces photos vient d’être retirée ou écartée'
      : `${hidden} de ces photos viennent d’être retirées ou écartées`;
  throw conflict(`Rien n’a changé\u202f: ${which}. Regardez ce qu’il en est, puis recommencez.`);
}

/** Throws 409 when a photo to be shown was ruled out and is not taken back, 422 when several are to be taken back at once. */
function requireTakenBack(photos: readonly PhotoRow[], { statut, ecartee }: Changes): void {
  const out = photos.filter(({ ecartee_le }) => ecartee_le !== null).length;
  if (ecartee === false && photos.length > 1)
    throw invalid({ ecartee: 'les photos écartées se reprennent une par une.' }, LABELS);
  if (out === 0 || ecartee === false || statut === undefined || !PHOTO_STATES[statut].isPublic) return;
  const which = out === 1 ? 'une de ces photos a été écartée' : `${out} de ces photos ont été écartées`;
  throw conflict(`Rien n’a changé\u202f: ${which}. Une photo écartée se reprend seule, en la regardant.`);
}

/** Throws 409 with a question that names the requests, when families asked for the removal of photos to be shown. */
async function requireNoObjection(
  db: Access,
  photos: readonly PhotoRow[],
  { TIME_ZONE: timeZone }: Services['config'],
): Promise<void> {
  const requests = await listObjections(
    db,
    photos.map(({ id }) => id),
  );
  const last = requests.at(-1);
  if (!last) return;
  const demandes = new Set(requests.map(({ photo_id }) => photo_id)).size;
  const isShown = photos.length === 1 && photos[0] !== undefined && PHOTO_STATES[photos[0].statut].isPublic;
  const [one, many] = isShown
    ? ['La laisser en ligne', '']
    : ['La montrer de nouveau', 'Les montrer de nouveau'];
  if (demandes === 1) {
    const which = photos.length === 1 ? 'de cette photo' : `d’une de ces ${photos.length} photos`;
    const mot = last.mot.trim() === '' ? '' : `\u202f: «\u00a0${shortened(last.mot.trim())}\u00a0»`;
    const asked = `Une famille a demandé le retrait ${which} le ${dayText(last.created_at, timeZone)}${mot}${/[.!?…]\u00a0»$/.test(mot) ? '' : '.'}`;
    throw conflict(`${asked} ${one}\u202f?`, { demandes });
  }
  const which =
    demandes === photos.length ? `ces ${demandes} photos` : `${demandes} de ces ${photos.length} photos`;
  throw conflict(`Des familles ont demandé le retrait de ${which}. ${many}\u202f?`, { demandes });
}

/** Most characters of a word in a question; it stands whole beside the photo. */
const WORD_SHOWN = 200;

function shortened(word: string): string {
  const letters = [...word.replace(/\s+/g, ' ')];
  return letters.length > WORD_SHOWN ? `${letters.slice(0, WORD_SHOWN - 1).join('')}…` : letters.join('');
}

/** « 3 juillet ». */
function dayText(instant: string, timeZone: string): string {
  const day = new Intl.DateTimeFormat('fr-FR', { day: 'numeric', month: 'long', timeZone });
  return day.format(new Date(instant)).replace(/^1 /, '1er ');
}

export const DECIDED_BY: Record<Decision, TransitionName> = {
  a_verifier: 'recheck',
  publiee: 'publish',
  refusee: 'refuse',
  retiree: 'takeDown',
};

const ACTIONS: Record<Decision, string> = {
  a_verifier: 'remise à vérifier',
  publiee: 'publication',
  refusee: 'mise à l’écart',
  retiree: 'retrait',
};

function actionOf(statut: Decision | undefined, count: number): string {
  return `${statut === undefined ? 'correction' : ACTIONS[statut]} ${ofPhotos(count)}`;
}

/** Message that confirms a change. `wereHidden`: all photos were already taken down, so a refusal hides nothing new. */
function saidOf({ statut, publiee_le }: Changes, count: number, wereHidden: boolean): string {
  const said: Record<Decision, [one: string, many: string]> = {
    a_verifier: ['à vérifier', 'à vérifier'],
    publiee:
      publiee_le === undefined
        ? ['publiée', 'publiées']
        : ['sera publiée à l’heure dite', 'seront publiées à l’heure dite'],
    refusee: wereHidden ? ['gardée cachée', 'gardées cachées'] : ['écartée', 'écartées'],
    retiree: ['retirée', 'retirées'],
  };
  const [one, many] = statut === undefined ? ['modifiée', 'modifiées'] : said[statut];
  return several(count, one, many);
}

const HIDDEN = 'La photo n’est plus visible. L’équipe du séjour va regarder votre demande.';
const FLAGGED =
  'Votre demande est enregistrée. La photo reste visible jusqu’à ce que l’équipe du séjour l’ait regardée.';

/**
 * Handler of removal requests: the photo is hidden from families until the stay's directors or staff decide, and what it was
 * before it was blurred is erased at once.
 */
function removalHandlers(services: Services) {
  const { database, clock } = services;
  return {
    'POST /photos/:id/retrait': async ({ params: { id }, body, ...context }) => {
      const { session } = context;
      if (!session) throw unauthorized();
      const ask = async ({ transaction, stay, photos, now }: Held) => {
        const photo = photos[0] as PhotoRow;
        const isFamily = session.role === 'family';
        if (isFamily && !hasBeenSeen(photo, now)) throw noSuchPhoto();
        const mayHide = !isFamily || (await mayHideAtOnce(transaction, session, photo, now));
        const isShown = leaves('hideOnRequest', photo.statut);
        const transition = isShown && mayHide ? ('hideOnRequest' as const) : undefined;
        const isHidden = transition !== undefined && isSeen(photo, now);
        const request = { photo_id: id, mot: body.mot, a_masque: transition ? 1 : 0 };
        const put = await putRemoval(transaction, session, request, now);
        // Reviewers see every request in their list, whether it hides the photo or not; a repeated one is no news.
        if (transition || put !== 'known') {
          const numero = await numberChange(transaction, stay.id, isHidden);
          await changePhotos(transaction, [id], { transition, numero }, now);
        }
        // Not for directors, who blur: nobody destroys by themselves what they have blurred.
        if (isFamily && mayHide) await dropBefores(transaction, beforesOf([id]));
        const masquee = !isShown || mayHide;
        const flagged = put === 'new' ? 'demande de retrait d’une photo' : undefined;
        return {
          answer: { message: masquee ? HIDDEN : FLAGGED, masquee },
          action: transition ? 'retrait d’une photo sur demande' : flagged,
          hidden: isHidden ? [photo] : [],
        };
      };
      const answer = await onPhotos(services, context, [id], 'stay', ask);
      await tryEraseCondemned(services);
      return answer;
    },
    'GET /stages/:id/retraits': async ({ params: { id }, session }) => {
      await getPhotoStay(services, database.db, session, id);
      return session ? listAnswers(database.db, session, id) : [];
    },
    'POST /stages/:id/retraits/lus': async ({ params: { id }, body: { ids }, session }) => {
      await database.write(async (transaction) => {
        await getPhotoStay(services, transaction, session, id);
        if (session) await noteAnswersRead(transaction, session, ids, clock());
      });
      return { message: 'C’est noté.' };
    },
  } satisfies Partial<Handlers>;
}

/** Whether families see a photo, or did until its removal was requested: a second request is no mistake. */
function hasBeenSeen(photo: PhotoRow, now: Date): boolean {
  return isSeen({ ...photo, statut: PHOTO_STATES[photo.statut].isAsked ? 'publiee' : photo.statut }, now);
}

/**
 * Whether a family's request hides the photo at once: no person has decided on an earlier request of this session for
 * it, and the limits for the session and for the stay are not reached.
 */
async function mayHideAtOnce(db: Access, session: Session, photo: PhotoRow, now: Date): Promise<boolean> {
  return (
    !(await hasBeenDecided(db, session, photo.id)) &&
    (await countAsked(db, session, photo.id, now)) < REMOVALS_A_DAY &&
    (await countHidden(db, photo, now)) < REMOVALS_OF_STAY
  );
}

/** Records that somebody confirms, before the first publication of a stay, that its families agree to photos. */
function attestationHandlers(services: Services) {
  const { database, clock } = services;
  return {
    'POST /stages/:id/attestation': async ({ params: { id }, ...context }) => {
      const attestation = await database.write(async (transaction) => {
        // Locked, so that two confirmations at once make one proof.
        const stay = await holdPhotoStay(services, transaction, context.session, id);
        await requirePhotos(services, transaction, stay);
        const known = await findAttestation(transaction, id);
        if (known) return known;
        const now = clock();
        const proof = {
          formulaire: ATTESTATION_FORM,
          atteste_le: now.toISOString(),
          acteur: signature(context).acteur,
        };
        await insertAttestation(transaction, stay, proof);
        const action = 'attestation des autorisations de droit à l’image';
        await journal(transaction, context, now, action, { table: 'stages', id });
        return proof;
      });
      return { message: 'Attestation enregistrée', attestation };
    },
  } satisfies Partial<Handlers>;
}

/** Throws 409 with the sentence to confirm while nobody has confirmed it. */
async function requireAttestation(db: Access, stageId: number): Promise<void> {
  if (await findAttestation(db, stageId)) return;
  throw conflict(`Avant la première publication, confirmez ceci\u202f: «\u00a0${ATTESTATION}\u00a0».`, {
    attestation: true,
  });
}
