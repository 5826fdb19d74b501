import { holdAdmin } from '#features/accounts/server/adminsStore.ts';
import { journal } from '#features/audit/server/journal.ts';
import { readSettings } from '#features/site/server/settingsStore.ts';
import { listDirectorsOfStay } from '#features/stays/server/directorsStore.ts';
import { requirePasswords } from '#features/stays/server/endedStaysStore.ts';
import { type ChildRow, listChildren } from '#features/stays/server/familiesStore.ts';
import { photoTimeOf, photoTimes } from '#features/stays/server/photoTime.ts';
import {
  getStayToChange,
  hasPasswords,
  holdStays,
  namedOf,
  openStayPassword,
  type Stay,
} from '#features/stays/server/staysStore.ts';
import type { Access } from '#platform/server/db/database.ts';
import { conflict, invalid, notFound, tooMany } from '#platform/server/errors.ts';
import type { Context, HandlersOf } from '#platform/server/http/serve.ts';
import { insertMailing } from '#platform/server/mail/outboxStore.ts';
import type { ComposedMessage } from '#platform/server/mail/sender.ts';
import { addressKey } from '#platform/server/mail/transport.ts';
import { qrOf } from '#platform/server/qr.ts';
import { HIDDEN_PASSWORD, type OpenedPassword } from '#platform/server/secrets.ts';
import type { Services } from '#platform/server/services.ts';
import type { BodyOf } from '#platform/shared/call.ts';
import { MAIL_TROUBLES, type MailTrouble } from '#platform/shared/mails.ts';
import { PASSWORD_TYPES, type PasswordType } from '#platform/shared/roles.ts';
import { HOUR_MS } from '#platform/shared/time.ts';
import type { codeCalls, freeMailCalls, slipCalls } from '../calls.ts';
import { codesOf, passwordVersion, wordOf } from './compose.ts';
import { requireKnown } from './knownAddressesStore.ts';
import { ensureLinks, ensurePaperLinks, listCut, listSecrets, paperKey } from './linksStore.ts';
import { linkAddress, signInAddress } from './messages.ts';
import { countWithoutAddress, listRecipients, type Recipient } from './recipientsStore.ts';
import { around, findLastMailing, listFreeMails, listReached, secondsLeft } from './store.ts';

/** Added to messages when there is no mail server. */
const UNSENT = '\u202f: aucun serveur d’envoi n’est réglé, tout se lit dans «\u00a0E-mails envoyés\u00a0»';

type CodesBody = BodyOf<'POST /stages/envoi-mots-de-passe'>;
type WordBody = BodyOf<'POST /stages/message'>;
type Actor = Omit<Context<'POST /stages/envoi-mots-de-passe'>, 'body'>;

/** What is mailed about stays: their codes, or what staff write. */
type Content = 'codes' | 'mot';

export function codesHandlers(services: Services): HandlersOf<typeof codeCalls> {
  const { database, config, jobs } = services;
  const preview = (content: Content, body: CodesBody | WordBody) =>
    database.write(async (transaction) => {
      const plan = await planMailing(services, transaction, content, body);
      return {
        nombre: plan.recipients.length,
        par_sejour: plan.stays.map(({ stay, ...counts }) => ({ ...namedOf(stay), ...counts })),
        exemple: await firstOf(services, transaction, content, plan, body),
      };
    });
  const send = async (content: Content, body: CodesBody | WordBody, context: Actor) => {
    const sent = await database.write((transaction) =>
      insertStayMailing(services, transaction, content, body, context),
    );
    jobs.wake();
    return { message: config.SMTP_URL ? 'Envoi commencé' : `Messages prêts${UNSENT}`, ...sent };
  };
  const tryOut = async (trial: Trial, context: Actor) => {
    const id = await database.write((transaction) => insertTrial(services, transaction, trial, context));
    jobs.wake();
    return { message: config.SMTP_URL ? 'Message d’essai envoyé' : `Message d’essai prêt${UNSENT}`, id };
  };
  return {
    'POST /stages/envoi-mots-de-passe/apercu': ({ body }) => preview('codes', body),
    'POST /stages/envoi-mots-de-passe/essai': ({ body, ...context }) => tryOut(body, context),
    'POST /stages/envoi-mots-de-passe': ({ body, ...context }) => send('codes', body, context),
    'POST /stages/message/apercu': ({ body }) => preview('mot', body),
    'POST /stages/message/essai': ({ body, ...context }) => tryOut(body, context),
    'POST /stages/message': ({ body, ...context }) => send('mot', body, context),
  };
}

/** The first planned message as its reader would see it, but for the password; null when there is none. */
async function firstOf(
  services: Services,
  transaction: Access,
  content: Content,
  { stays, recipients: [first] }: Plan,
  { type, objet, texte }: CodesBody | WordBody,
) {
  const stay = stays.find((planned) => planned.stay.id === first?.stageId)?.stay;
  if (!first || !stay) return null;
  const hidden = { ...services, shown: () => HIDDEN_PASSWORD };
  const [to, texts] = [first.address, { objet, texte }];
  if (content === 'mot') return shownOf(await wordOf(hidden, transaction, to, texts));
  return shownOf(await codesOf(hidden, transaction, { stay, type, to, texts }));
}

/** A trial of codes names their stay; without one it is a message to families. */
type Trial =
  | BodyOf<'POST /stages/envoi-mots-de-passe/essai'>
  | (BodyOf<'POST /stages/message/essai'> & { stageId?: undefined });

async function insertTrial(
  services: Services,
  transaction: Access,
  { type, objet, texte, stageId, email }: Trial,
  context: Actor,
): Promise<number> {
  const { secrets, clock } = services;
  await refuseTooMany(services, transaction, context.session?.adminId ?? 0);
  if (stageId !== undefined) await getStays(services, transaction, [stageId], 'stageId', true);
  const mailing = {
    genre: 'essai' as const,
    type: stageId === undefined ? undefined : type,
    texts: { objet, texte },
    actor: context,
    messages: [{ address: email, stageId }],
  };
  const now = clock();
  const id = await insertMailing(transaction, secrets, mailing, now);
  const what = stageId === undefined ? 'd’un message aux familles' : `d’un message des ${named(type)}`;
  await journal(transaction, context, now, `essai ${what}`, { table: 'envois', id });
  return id;
}

async function insertStayMailing(
  services: Services,
  transaction: Access,
  content: Content,
  body: CodesBody | WordBody,
  context: Actor,
): Promise<{ id: number; nombre: number }> {
  const { secrets, clock } = services;
  const { type, objet, texte } = body;
  const plan = await planMailing(services, transaction, content, body);
  const now = clock();
  if (!isToSome(body)) await refuseAgain(transaction, content, body, now);
  refuseNobody(plan, body);
  let young = 0;
  if (content === 'codes') {
    young = await requireKnown(transaction, type, plan.recipients, context.session, now);
    await ensureLinks(transaction, secrets, type, plan.recipients, now);
  }
  const messages = plan.recipients.map(({ address, stageId }) => ({ address, stageId }));
  const mailing = { genre: content, type, texts: { objet, texte }, actor: context, messages };
  const id = await insertMailing(transaction, secrets, mailing, now);
  const nombre = messages.length;
  const added = young === 0 ? '' : `, dont ${young} depuis moins d’un jour`;
  const what = content === 'codes' ? `des ${named(type)}` : `d’un message (${PASSWORD_TYPES[type]})`;
  const action = `envoi ${what} à ${nombre} ${nombre > 1 ? 'adresses' : 'adresse'}${added}`;
  await journal(transaction, context, now, action, { table: 'envois', id });
  return { id, nombre };
}

/** Whether only some of the stays' addresses are meant. */
const isToSome = (body: CodesBody | WordBody) =>
  body.enfants !== undefined || ('seulement' in body && body.seulement !== undefined);

/** Name of codes in the journal. */
function named(type: PasswordType): string {
  return `codes «\u00a0${PASSWORD_TYPES[type]}\u00a0»`;
}

const MESSAGES_MAX = 20_000;
/** Least milliseconds between two mailings of one kind to everybody of a stay; what was written may need a correction. */
const AGAIN_MS: Record<Content, number> = { codes: 10 * 60_000, mot: 60_000 };

const LABELS = { stageIds: 'Séjours', stageId: 'Séjour' };

interface PlannedStay {
  stay: Stay;
  /** Number of messages for the stay. */
  nombre: number;
  /** Number of its addresses that have the current password, or have a message waiting that brings it. */
  deja: number;
  /** Number of its children without an address. */
  sans_email: number;
}

interface Plan {
  stays: PlannedStay[];
  recipients: Recipient[];
}

type Chosen = Pick<CodesBody, 'type' | 'stageIds' | 'seulement' | 'enfants'>;

/**
 * Finds the recipients of a mailing: of codes an address once per stay, of what staff write once in all. Throws 422 for a
 * missing stay, codes that open nothing, or too many messages.
 */
async function planMailing(
  services: Services,
  transaction: Access,
  content: Content,
  { type, stageIds, seulement, enfants }: Chosen,
): Promise<Plan> {
  const isOfCodes = content === 'codes';
  const stays = await getStays(services, transaction, [...new Set(stageIds)], 'stageIds', isOfCodes);
  const ids = stays.map(({ id }) => id);
  const cut = await listCut(transaction, type, ids);
  const recorded = await listRecipients(transaction, type, ids, enfants);
  const all = recorded.filter(({ stageId, key }) => !cut.has(`${stageId} ${key}`));
  const versions = () => stays.map((stay) => passwordVersion(services.secrets, stay, type));
  const reached = isOfCodes ? await listReached(transaction, type, ids, versions()) : new Set<string>();
  const hasIt = ({ stageId, key }: Recipient) => reached.has(`${stageId} ${key}`);
  const found = seulement ? all.filter((recipient) => !hasIt(recipient)) : all;
  const keys = new Set<string>();
  const isFirst = ({ key }: Recipient) => !keys.has(key) && keys.add(key);
  const recipients = isOfCodes ? found : found.filter(isFirst);
  if (recipients.length > MESSAGES_MAX) {
    const [found, most] = [recipients.length, MESSAGES_MAX].map((count) => count.toLocaleString('fr'));
    const why = `${found} messages à la fois, c’est trop\u202f: ${most} au plus.`;
    throw invalid({ stageIds: why }, LABELS);
  }
  const byStay = Map.groupBy(recipients, ({ stageId }) => stageId);
  const reachedByStay = Map.groupBy(all.filter(hasIt), ({ stageId }) => stageId);
  const without = await countWithoutAddress(transaction, type, ids);
  return {
    stays: stays.map((stay) => ({
      stay,
      nombre: byStay.get(stay.id)?.length ?? 0,
      deja: reachedByStay.get(stay.id)?.length ?? 0,
      sans_email: without.get(stay.id) ?? 0,
    })),
    recipients,
  };
}

/**
 * The stays, in this order, locked until the end of the transaction, so that two mailings at once take turns; for codes,
 * these must open something.
 */
async function getStays(
  services: Services,
  transaction: Access,
  ids: readonly number[],
  field: keyof typeof LABELS,
  areOpen: boolean,
): Promise<Stay[]> {
  const found = await holdStays(services.database, transaction, ids);
  const timeOf = await photoTimes(services, transaction);
  return ids.map((id) => {
    const stay = found.get(id);
    if (!stay) throw invalid({ [field]: `le séjour n°\u00a0${id} n’existe pas ou n’existe plus.` }, LABELS);
    if (areOpen && (timeOf(stay).isOver || !hasPasswords(stay))) {
      const name = `«\u00a0${stay.nom_stage}\u00a0»`;
      const why = `les photos du séjour ${name} ne sont plus en ligne, ses codes n’ouvrent rien.`;
      throw invalid({ [field]: why }, LABELS);
    }
    return stay;
  });
}

/**
 * Throws 429 when one of these stays was just sent such a mailing: a form submitted twice must not mail everybody twice.
 * `now` must be read after the stays are locked.
 */
async function refuseAgain(
  transaction: Access,
  content: Content,
  { type, stageIds }: Chosen,
  now: Date,
): Promise<void> {
  const span = AGAIN_MS[content];
  const last = await findLastMailing(transaction, content, type, stageIds, around(now, span));
  if (!last) return;
  const seconds = secondsLeft(last.created_at, span, now);
  const wait = `attendez ${Math.ceil(seconds / 60)}\u00a0min`;
  throw tooMany(
    seconds,
    content === 'codes'
      ? `Un envoi de ces codes vient de partir pour «\u00a0${last.nom_stage}\u00a0»\u202f: ${wait}, ou n’écrivez qu’aux adresses qui n’ont pas reçu le mot de passe actuel.`
      : `Un message vient de partir pour «\u00a0${last.nom_stage}\u00a0»\u202f: ${wait}.`,
  );
}

function refuseNobody({ recipients }: Plan, { type, seulement }: Chosen): void {
  if (recipients.length > 0) return;
  const nobody =
    type === 'stagiaire'
      ? 'aucune famille n’y a d’adresse e-mail\u202f: ajoutez d’abord les familles.'
      : 'aucun directeur n’y est affecté\u202f: affectez-les d’abord.';
  const why = seulement ? 'personne n’attend ce mot de passe\u202f: rien à envoyer.' : nobody;
  throw invalid({ stageIds: why }, LABELS);
}

/** A message as the portal shows it; throws 404 or 409, with the reason, when it can no longer be composed. */
export function shownOf(composed: ComposedMessage | MailTrouble) {
  if (composed === 'texte_efface') throw notFound('Le texte de ce message est effacé.');
  if (typeof composed === 'string')
    throw conflict(`Ce message ne peut plus être lu\u202f: ${MAIL_TROUBLES[composed]}.`);
  const { to, subject, html, text } = composed;
  return { destinataire: to, objet: subject, html, texte: text };
}

/** Handler of printed codes, for those who read no e-mail: a slip for each family or director, with a link of its own. */
export function slipHandlers(services: Services): HandlersOf<typeof slipCalls> {
  const { database, secrets, config, clock } = services;
  return {
    'GET /stages/:id/etiquettes': async ({ params: { id }, query: { type }, ...context }) => {
      const { stay, settings, lastDay, children, slips, links } = await database.write(
        async (transaction) => {
          const stay = await getStayToChange(database, transaction, id);
          const settings = await readSettings(transaction, config);
          const { lastDay, isOver } = await photoTimeOf(services, transaction, stay);
          if (isOver) throw over();
          requirePasswords(stay);
          const action = `lecture du mot de passe «\u00a0${PASSWORD_TYPES[type]}\u00a0», pour des étiquettes`;
          await journal(transaction, context, clock(), action, { table: 'stages', id });
          const children = type === 'stagiaire' ? await listChildren(transaction, id) : [];
          const slips =
            type === 'stagiaire'
              ? familiesOf(children)
              : directorsOf(await listDirectorsOfStay(transaction, id));
          const keys = slips.map(({ key }) => key);
          if (type === 'stagiaire')
            await ensurePaperLinks(
              transaction,
              secrets,
              id,
              slips.map((slip) => slip.id),
            );
          else
            await ensureLinks(
              transaction,
              secrets,
              type,
              keys.map((key) => ({ stageId: id, key })),
              clock(),
            );
          const links = await listSecrets(transaction, secrets, type, id, keys);
          return { stay, settings, lastDay, children, slips, links };
        },
      );
      // Read here because it is known only once the server listens.
      const { publicUrl } = services;
      const lien = signInAddress(publicUrl, id);
      const shown = (secret: OpenedPassword) => secret.shownTo(context.session, clock());
      const isShared = type === 'formateur' || stay.mdp_commun === 1;
      return {
        ...namedOf(stay),
        type,
        adresse_site: publicUrl.replace(/^https?:\/\//, ''),
        lien,
        mot_de_passe: isShared ? shown(openStayPassword(secrets, stay, type)) : null,
        etiquettes: slips.flatMap(({ key, noms }) => {
          const link = links.get(key);
          return link ? [{ noms, qr: qrOf(linkAddress(publicUrl, shown(link))) }] : [];
        }),
        familles: slips.length,
        sans_email: children.filter(({ email }) => email === '').length,
        organisation: settings.organisation_nom,
        photos_jusquau: lastDay,
        qr: qrOf(lien),
      };
    },
  };
}

interface SlipOwner {
  id: number;
  key: string;
  noms: string;
}

/** Siblings are one family, as they have the same first address. */
function familiesOf(children: readonly ChildRow[]): SlipOwner[] {
  const families = Map.groupBy(children, ({ id, email }) => addressKey(email) || id);
  return [...families.values()].flatMap((own) => {
    const [first] = own;
    if (!first) return [];
    const isOneName = own.every(({ nom }) => nom === first.nom);
    const names = own.map(({ prenom, nom }) => (isOneName ? prenom : `${prenom} ${nom}`));
    const noms = `${new Intl.ListFormat('fr').format(names)}${isOneName ? ` ${first.nom}` : ''}`;
    return [{ id: first.id, key: paperKey(first.id), noms }];
  });
}

function directorsOf(directors: Awaited<ReturnType<typeof listDirectorsOfStay>>): SlipOwner[] {
  return directors.map(({ id, prenom, nom, mail }) => {
    return { id, key: addressKey(mail), noms: `${prenom} ${nom}` };
  });
}

const over = () =>
  conflict('Les photos de ce séjour ne sont plus en ligne\u202f: son mot de passe n’ouvre plus rien.');

/* Free mails, and the limit on mails to addresses of one’s choice, which trials are as well. */

export function freeHandlers(services: Services): HandlersOf<typeof freeMailCalls> {
  const { database, secrets, clock, jobs } = services;
  return {
    'POST /send-email': async ({ body: { to, subject, message }, ...context }) => {
      const id = await database.write(async (transaction) => {
        await refuseTooMany(services, transaction, context.session?.adminId ?? 0);
        const now = clock();
        const texts = { objet: subject, texte: message };
        const mailing = { genre: 'libre' as const, texts, actor: context, messages: [{ address: to }] };
        const id = await insertMailing(transaction, secrets, mailing, now);
        await journal(transaction, context, now, 'envoi d’un e-mail', { table: 'envois', id });
        return id;
      });
      jobs.wake();
      return { message: 'Message envoyé', id };
    },
  };
}

/** Most mails to any address from one admin in an hour: enough for people, not for a stolen session. */
const PER_HOUR = 60;

/** Throws 429 when this admin has reached the limit of an hour. */
async function refuseTooMany(
  { database, clock }: Services,
  transaction: Access,
  adminId: number,
): Promise<void> {
  // Locked until the end of the transaction, so that of two mails at once, the second counts the first.
  await holdAdmin(database, transaction, adminId);
  const now = clock();
  const sent = await listFreeMails(transaction, adminId, around(now, HOUR_MS), PER_HOUR);
  const oldest = sent[PER_HOUR - 1];
  if (oldest === undefined) return;
  const seconds = secondsLeft(oldest, HOUR_MS, now);
  const minutes = Math.ceil(seconds / 60);
  throw tooMany(
    seconds,
    `${PER_HOUR}\u00a0e-mails sont déjà partis en une heure\u202f: le prochain pourra partir dans ${minutes}\u00a0min.`,
  );
}
