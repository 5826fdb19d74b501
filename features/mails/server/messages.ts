import type { Stay } from '#features/stays/server/staysStore.ts';
import type { MailTexts } from '#platform/server/mail/outboxStore.ts';
import type { MessageBody } from '#platform/server/mail/transport.ts';
import { escapeHtml } from '#platform/server/pages/html.ts';
import { rangeOf } from '#platform/shared/dates.ts';
import { ofName } from '#platform/shared/elision.ts';
import type { PasswordType } from '#platform/shared/roles.ts';

/*
 * Templates of mails, as HTML and as plain text. All typed text is escaped. No pictures, scripts or remote content, so
 * that a mail looks the same everywhere and tells nobody that it was opened.
 */

/** The organisation that signs a mail. */
export interface Signature {
  organisation: string;
  telephone: string;
}

interface CodesMessage {
  stay: Pick<Stay, 'id' | 'nom_stage' | 'date_debut' | 'date_fin'>;
  type: PasswordType;
  password: string;
  /** What staff add before the codes; blank: nothing. */
  texte: string;
  publicUrl: string;
  /** « 12 septembre 2026 »: the last day of the photos. */
  photosUntil: string;
  signature: Signature;
}

/** Sign-in link with the stay filled in; never the password. */
export function signInAddress(publicUrl: string, stageId: number): string {
  return `${publicUrl}/connexion?stageId=${stageId}`;
}

/** Message with the codes of a stay, to one of its families or directors. */
export function codesMessage(content: CodesMessage): MessageBody {
  const { stay, type, password, publicUrl, photosUntil, texte, signature } = content;
  const dates = rangeOf(stay.date_debut, stay.date_fin, 'fr-FR');
  const link = signInAddress(publicUrl, stay.id);
  const { purpose, secret } = WORDS[type];
  const intro = `${purpose} du séjour «\u00a0${stay.nom_stage}\u00a0», ${dates}.`;
  const end = `Les photos restent en ligne jusqu’au ${photosUntil}, puis elles sont effacées.`;
  const codes: [string, string][] = [
    ['Numéro du séjour', String(stay.id)],
    ['Mot de passe', password],
  ];
  const before = texte.trim();
  const why = whyReceived(signature);
  return {
    text: plain([
      'Bonjour,',
      ...(before === '' ? [] : [before]),
      intro,
      codes.map(([name, value]) => `${name}\u202f: ${value}`).join('\n'),
      `Pour vous connecter\u202f:\n${link}`,
      secret,
      end,
      signed(signature),
      why,
    ]),
    html: page(intro, [
      paragraph('Bonjour,'),
      ...paragraphs(before),
      paragraph(intro),
      codesBox(codes),
      button(link, 'Se connecter'),
      small(`Si le bouton ne s’ouvre pas, recopiez cette adresse\u202f: ${link}`),
      small(secret),
      small(end),
      paragraph(signed(signature)),
      small(why),
    ]),
  };
}

const WORDS: Record<PasswordType, { purpose: string; secret: string }> = {
  stagiaire: {
    purpose: 'Voici le numéro et le mot de passe pour voir les photos',
    secret:
      'Toutes les familles du séjour ont ce mot de passe\u202f: ne le donnez à personne d’autre. Ne republiez pas les photos d’autres enfants.',
  },
  formateur: {
    purpose: 'Voici le numéro et le mot de passe pour entrer dans l’espace de direction',
    secret:
      'Toute la direction du séjour a ce mot de passe\u202f: ne le donnez à personne d’autre, pas même aux familles, qui ont le leur.',
  },
};

type EndingMessage = Pick<CodesMessage, 'stay' | 'publicUrl' | 'photosUntil' | 'signature'>;

/** Message that warns a family that the photos of its stay are about to be erased. */
export function endingMessage({ stay, publicUrl, photosUntil, signature }: EndingMessage): MessageBody {
  const dates = rangeOf(stay.date_debut, stay.date_fin, 'fr-FR');
  const link = `${publicUrl}/stage-details/${stay.id}`;
  const intro = `Les photos du séjour «\u00a0${stay.nom_stage}\u00a0», ${dates}, restent en ligne jusqu’au ${photosUntil} inclus. Ensuite, elles sont effacées pour toujours.`;
  const how =
    'Pour les garder, connectez-vous avec le mot de passe du séjour, puis choisissez «\u00a0Tout télécharger\u00a0»\u202f: elles arrivent dans un seul fichier. Une photo ouverte peut aussi être enregistrée seule.';
  const lost =
    'Vous n’avez plus le mot de passe\u202f? La page de connexion permet de le demander avec cette adresse e-mail.';
  const erased =
    'Vos données du séjour (les prénoms et noms des enfants, vos adresses e-mail) sont effacées avec les photos.';
  const why = whyReceived(signature);
  return {
    text: plain([
      'Bonjour,',
      intro,
      how,
      `La page du séjour\u202f:\n${link}`,
      lost,
      erased,
      signed(signature),
      why,
    ]),
    html: page(intro, [
      paragraph('Bonjour,'),
      paragraph(intro),
      paragraph(how),
      button(link, 'Voir les photos'),
      small(`Si le bouton ne s’ouvre pas, recopiez cette adresse\u202f: ${link}`),
      small(lost),
      small(erased),
      paragraph(signed(signature)),
      small(why),
    ]),
  };
}

/** Message with a free text as it was typed, and the signature. */
export function freeMessage({ objet, texte }: MailTexts, signature: Signature): MessageBody {
  const written = texte.trim();
  return {
    text: plain([written, signed(signature)]),
    html: page(objet, [...paragraphs(written), paragraph(signed(signature))]),
  };
}

/** Message to staff with what a visitor wrote in the contact form. */
export function contactMessage(written: { nom: string; email: string; message: string }): MessageBody {
  const from = `Message ${ofName(written.nom)} (${written.email}), écrit sur le site\u202f:`;
  const message = written.message.trim();
  const answer = `Répondez à cet e-mail\u202f: votre réponse part à ${written.email}.`;
  return {
    text: plain([from, message, answer]),
    html: page(from, [small(from), ...paragraphs(message), small(answer)]),
  };
}

/** Name of the organisation; without one, a general term with the article `Le` or `le`. */
function nameOf({ organisation }: Signature, article: 'Le' | 'le'): string {
  return organisation || `${article} comité social et économique`;
}

function whyReceived(signature: Signature): string {
  return `Vous recevez ce message car votre adresse est inscrite à ce séjour par ${nameOf(signature, 'le')}. S’il ne vous est pas destiné, supprimez-le, s’il vous plaît.`;
}

function signed(signature: Signature): string {
  return [nameOf(signature, 'Le'), signature.telephone].filter((part) => part !== '').join('\n');
}

function plain(parts: readonly string[]): string {
  return `${parts.join('\n\n')}\n`;
}

const INK = '#16302b';
const QUIET = '#4d645e';
const PINE = '#0e4d45';
const MIST = '#e8efea';
const FONT = "font-family:-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif";
/** Breaks a long word or address, so that it is not wider than a phone. */
const CUT = 'word-break:break-word;overflow-wrap:anywhere';

/** Escapes a text for HTML and keeps its line breaks. */
function lines(text: string): string {
  return escapeHtml(text).replaceAll('\n', '<br>');
}

function paragraph(text: string): string {
  return `<p style="margin:0 0 16px;font-size:16px;line-height:1.5;color:${INK}">${lines(text)}</p>`;
}

/** HTML paragraphs of a text, separated by blank lines in it; none when it is blank. */
function paragraphs(text: string): string[] {
  return text === '' ? [] : text.split(/\n\s*\n/).map(paragraph);
}

function small(text: string): string {
  return `<p style="margin:0 0 12px;font-size:14px;line-height:1.5;color:${QUIET}">${lines(text)}</p>`;
}

function codesBox(codes: readonly [string, string][]): string {
  const rows = codes.map(
    ([name, value]) =>
      `<tr><td style="padding:6px 20px"><div style="font-size:14px;line-height:1.5;color:${QUIET}">${escapeHtml(name)}</div>` +
      `<div style="font-size:20px;line-height:1.4;font-weight:700;letter-spacing:0.5px;color:${INK}">${escapeHtml(value)}</div></td></tr>`,
  );
  return `<table role="presentation" style="width:100%;margin:0 0 20px;padding:10px 0;background:${MIST};border-radius:12px;border-collapse:separate;border-spacing:0">${rows.join('')}</table>`;
}

/** Link styled as a button; opens a new tab, as messages are also read in the portal. */
function button(address: string, label: string): string {
  const style = `display:inline-block;padding:13px 24px;background:${PINE};border-radius:10px;font-size:16px;line-height:1.25;font-weight:600;color:#ffffff;text-decoration:none`;
  return `<p style="margin:0 0 20px"><a href="${escapeHtml(address)}" target="_blank" rel="noopener" style="${style}">${escapeHtml(label)}</a></p>`;
}

function page(title: string, parts: readonly string[]): string {
  return (
    '<!doctype html><html lang="fr"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">' +
    `<meta name="color-scheme" content="light"><title>${escapeHtml(title)}</title></head>` +
    `<body style="margin:0;padding:24px 16px;background:#ffffff;${FONT}">` +
    `<div style="max-width:560px;margin:0 auto;${CUT}">${parts.join('')}</div></body></html>`
  );
}
