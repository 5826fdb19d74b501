import { findByLink } from '#features/accounts/server/adminsStore.ts';
import { readSettings } from '#features/site/server/settingsStore.ts';
import { findMessage } from '#features/site/server/store.ts';
import { photoTimeOf } from '#features/stays/server/photoTime.ts';
import {
  getStay,
  hasPasswords,
  openStayPassword,
  type Stay,
  type StayPasswords,
} from '#features/stays/server/staysStore.ts';
import type { Access } from '#platform/server/db/database.ts';
import { secretOf } from '#platform/server/links.ts';
import { type MailTexts, openTexts, type QueuedMessage } from '#platform/server/mail/outboxStore.ts';
import type { ComposedMessage, Composer, Composers, ComposeServices } from '#platform/server/mail/sender.ts';
import { addressKey } from '#platform/server/mail/transport.ts';
import { HIDDEN_PASSWORD, type Secrets, SentPassword } from '#platform/server/secrets.ts';
import { longDay } from '#platform/shared/dates.ts';
import type { MailTrouble } from '#platform/shared/mails.ts';
import type { PasswordType } from '#platform/shared/roles.ts';
import { dayAt } from '#platform/shared/time.ts';
import { listYoung } from './knownAddressesStore.ts';
import { findLinkOf, openLink } from './linksStore.ts';
import {
  codesMessage,
  contactMessage,
  endingMessage,
  freeMessage,
  invitationMessage,
  linkAddress,
  type Signature,
  wordMessage,
} from './messages.ts';
import { isRecipient } from './recipientsStore.ts';

/** A password that opens nothing, for trial messages. */
const TRIAL_PASSWORD = 'XXXX-XXXX-XXXX';
/** What stands after the `#` of their link. */
const TRIAL_LINK = 'essai';

const WITHOUT_PASSWORD = { passwordVersion: null, isOutdated: false };

/** Password version: a fingerprint that tells whether an address was sent the current password of a stay. */
export function passwordVersion(secrets: Secrets, stay: StayPasswords, type: PasswordType): string {
  return secrets.fingerprint(`${stay.id}:${type}:${openStayPassword(secrets, stay, type).unseen}`);
}

type WithTexts = (...given: [...Parameters<Composer>, texts: MailTexts]) => ReturnType<Composer>;

const composeFree: WithTexts = async (services, db, message, texts) => {
  const { signature, replyTo } = await signatureOf(services, db);
  const { destinataire: to } = message;
  return { ...WITHOUT_PASSWORD, to, subject: texts.objet, replyTo, ...freeMessage(texts, signature) };
};

/** What staff write to the families, or the directors, of stays, for one address. */
export async function wordOf(
  services: ComposeServices,
  db: Access,
  to: string,
  texts: MailTexts,
): Promise<ComposedMessage> {
  const { signature, replyTo } = await signatureOf(services, db);
  return { ...WITHOUT_PASSWORD, to, subject: texts.objet, replyTo, ...wordMessage(texts, signature) };
}

const composeWord: WithTexts = async (services, db, message, texts) => {
  const { stage_id: stageId, type, cle_destinataire: key, destinataire: to } = message;
  if (stageId === null || type === null) throw new Error('A message to families without a stay');
  if (!(await isRecipient(db, type, stageId, key))) return 'plus_inscrite';
  return wordOf(services, db, to, texts);
};

/** A trial of codes, or, without a stay, of a message to families. */
const composeTrial: WithTexts = (services, db, message, texts) =>
  message.type === null
    ? wordOf(services, db, message.destinataire, { ...texts, objet: `[Essai] ${texts.objet}` })
    : composeCodes(services, db, message, texts);

async function composeContact(db: Access, message: QueuedMessage): Promise<ComposedMessage | MailTrouble> {
  const written = await findMessage(db, message.contact_id ?? 0);
  if (!written) return 'texte_efface';
  return {
    ...WITHOUT_PASSWORD,
    to: message.destinataire,
    // As in subjects written by staff: mail programs would take `=?` for the start of encoded text.
    subject: `Message du site\u202f: ${written.nom.replaceAll('=?', '= ?')}`,
    replyTo: written.email,
    ...contactMessage(written),
  };
}

const composeEnding: WithTexts = async (services, db, message, texts) => {
  const { stage_id: stageId, cle_destinataire: key, destinataire: to } = message;
  if (stageId === null) throw new Error('A message of the end of photos without a stay');
  const stay = await getStay(db, stageId);
  if (!(await isRecipient(db, 'stagiaire', stageId, key))) return 'plus_inscrite';
  const { lastDay, isOver } = await photoTimeOf(services, db, stay);
  if (isOver) return 'photos_finies';
  const { signature, replyTo } = await signatureOf(services, db);
  const body = endingMessage({
    stay,
    publicUrl: services.publicUrl,
    photosUntil: longDay(lastDay),
    signature,
  });
  return { ...WITHOUT_PASSWORD, to, subject: texts.objet, replyTo, ...body };
};

const composeCodes: WithTexts = async (services, db, message, texts) => {
  const { stage_id: stageId, type, genre, cle_destinataire: key, mdp_empreinte: sentVersion } = message;
  if (stageId === null || type === null) throw new Error('A message of codes without a stay');
  const stay = await getStay(db, stageId);
  const isTrial = genre === 'essai';
  if (!isTrial) {
    if (!(await isRecipient(db, type, stageId, key))) return 'plus_inscrite';
    const young = await listYoung(db, type, [{ stageId, key }], services.clock());
    if (young.length > 0) return 'adresse_recente';
  }
  return codesOf(services, db, { stay, type, texts, to: message.destinataire, isTrial, sentVersion });
};

export const composers = {
  contact: (_services, db, message) => composeContact(db, message),
  libre: withTexts(composeFree),
  alerte: withTexts(composeFree),
  connexion: withTexts(composeFree),
  invitation: withTexts(composeInvitation),
  fin: withTexts(composeEnding),
  codes: withTexts(composeCodes),
  perdu: withTexts(composeCodes),
  essai: withTexts(composeTrial),
  mot: withTexts(composeWord),
} satisfies Partial<Composers>;

/** `texte` is the name of the link, whose row says where it leads until somebody has come by it, or it is withdrawn. */
async function composeInvitation(...[services, db, message, { objet, texte }]: Parameters<WithTexts>) {
  const invited = await findByLink(db, texte);
  const secret = invited && secretOf(services.secrets, invited);
  if (!secret || !invited.invite_jusqua) return 'invitation_finie';
  const { username: nom } = invited;
  // The name goes with it for browsers that keep passwords.
  const opens = new URLSearchParams({ jeton: services.shown(new SentPassword(secret)), nom });
  const until = longDay(dayAt(new Date(invited.invite_jusqua), services.config.TIME_ZONE));
  const { signature, replyTo } = await signatureOf(services, db);
  const body = invitationMessage(nom, `${services.publicUrl}/invitation#${opens}`, until, signature);
  return { ...WITHOUT_PASSWORD, to: message.destinataire, subject: objet, replyTo, ...body };
}

/** A composer of messages that need the texts of their mailing: erased texts are a trouble. */
function withTexts(compose: WithTexts): Composer {
  return async (services, db, message) => {
    const texts = openTexts(services.secrets, message);
    return texts ? compose(services, db, message, texts) : 'texte_efface';
  };
}

interface CodesRequest {
  stay: Stay;
  type: PasswordType;
  texts: MailTexts;
  to: string;
  /** A trial message, with a password that opens nothing. */
  isTrial?: boolean;
  /** Version of the password with which the message was sent. */
  sentVersion?: string | null;
}

/** Composes the codes of a stay for one address as of now; returns `photos_finies` once they open nothing. */
export async function codesOf(
  services: ComposeServices,
  db: Access,
  { stay, type, texts, to, isTrial = false, sentVersion = null }: CodesRequest,
): Promise<ComposedMessage | MailTrouble> {
  const { secrets, publicUrl } = services;
  const { lastDay, isOver } = await photoTimeOf(services, db, stay);
  if (isOver || !hasPasswords(stay)) return 'photos_finies';
  const { signature, replyTo } = await signatureOf(services, db);
  const version = isTrial ? null : passwordVersion(secrets, stay, type);
  const isOutdated = sentVersion !== null && sentVersion !== version;
  const password = isOutdated ? HIDDEN_PASSWORD : services.shown(openStayPassword(secrets, stay, type));
  const known = { stageId: stay.id, key: addressKey(to) };
  const link = isTrial ? undefined : await findLinkOf(db, type, known);
  if (link?.coupe_le) return 'acces_coupe';
  const secret = link && openLink(secrets, link);
  const body = codesMessage({
    stay,
    type,
    // A link is there: `ensureLinks` made it with the mailing.
    password: type === 'stagiaire' && stay.mdp_commun === 0 ? undefined : isTrial ? TRIAL_PASSWORD : password,
    texte: texts.texte,
    link: isTrial
      ? linkAddress(publicUrl, TRIAL_LINK)
      : secret && linkAddress(publicUrl, services.shown(secret)),
    publicUrl,
    photosUntil: longDay(lastDay),
    signature,
  });
  return {
    to,
    subject: isTrial ? `[Essai] ${texts.objet}` : texts.objet,
    replyTo,
    passwordVersion: version,
    isOutdated,
    ...body,
  };
}

export async function signatureOf(
  { config }: ComposeServices,
  db: Access,
): Promise<{ signature: Signature; replyTo: string | undefined }> {
  const settings = await readSettings(db, config);
  return {
    signature: { organisation: settings.organisation_nom, telephone: settings.organisation_telephone },
    replyTo: settings.organisation_email || undefined,
  };
}
