import type { Stay } from '#features/stays/server/staysStore.ts';
import type { MailTexts } from '#platform/server/mail/outboxStore.ts';
import type { MessageBody } from '#platform/server/mail/transport.ts';
import { escapeHtml } from '#platform/server/pages/html.ts';
import { rangeOf } from '#platform/shared/dates.ts';
import { ofName } from '#platform/shared/elision.ts';
import { type Block, type Inline, readMarkdown } from '#platform/shared/markdown.ts';
import type { PasswordType } from '#platform/shared/roles.ts';

/*
 * Templates of mails, as HTML and as plain text. All typed text is escaped. No pictures, scripts or remote content, so
 * that a mail looks the same everywhere and tells nobody that it was opened.
 */

export interface Signature {
  organisation: string;
  telephone: string;
}

interface CodesMessage {
  stay: Pick<Stay, 'id' | 'nom_stage' | 'date_debut' | 'date_fin'>;
  type: PasswordType;
  /** Undefined: it opens nothing, the link does. */
  password: string | undefined;
  /** What staff add before the codes; blank: nothing. */
  texte: string;
  /** The link of the address alone; undefined: it has none. */
  link: string | undefined;
  publicUrl: string;
  /** « 12 septembre 2026 »: the last day of the photos. */
  photosUntil: string;
  signature: Signature;
}

/** Sign-in link with the stay filled in; never the password. */
export function signInAddress(publicUrl: string, stageId: number): string {
  return `${publicUrl}/connexion?stageId=${stageId}`;
}

/** The link of one address; what stands after the `#` reaches no server and no log. */
export function linkAddress(publicUrl: string, secret: string): string {
  return `${publicUrl}/acces#${secret}`;
}

export function codesMessage(content: CodesMessage): MessageBody {
  const { stay, type, password, link, publicUrl, photosUntil, texte, signature } = content;
  const { purpose, opens, secret } = WORDS[type];
  const intro = `${password === undefined ? 'Voici de quoi voir les photos' : purpose} du séjour ${named(stay)}.`;
  return message(intro, [
    paragraph('Bonjour,'),
    ...paragraphs(texte),
    paragraph(intro),
    ...(link === undefined
      ? []
      : [
          ...button(opens, link, opens),
          small(
            `Ce lien est fait pour vous seul\u202f: ne le transférez pas.${password === undefined ? '' : ' Sur papier, ou sans lui\u202f:'}`,
          ),
        ]),
    ...(password === undefined
      ? []
      : [
          codesBox([
            ['Numéro du séjour', String(stay.id)],
            ['Mot de passe', password],
          ]),
          ...button('Pour vous connecter', signInAddress(publicUrl, stay.id), 'Se connecter'),
          small(secret),
        ]),
    small(`Les photos restent en ligne jusqu’au ${photosUntil}, puis elles sont effacées.`),
    paragraph(signed(signature)),
    small(WHY_RECEIVED),
  ]);
}

const WORDS: Record<PasswordType, { purpose: string; opens: string; secret: string }> = {
  stagiaire: {
    purpose: 'Voici le numéro et le mot de passe pour voir les photos',
    opens: 'Ouvrir les photos',
    secret:
      'Toutes les familles du séjour ont ce mot de passe\u202f: ne le donnez à personne d’autre. Ne republiez pas les photos d’autres enfants.',
  },
  formateur: {
    purpose: 'Voici le numéro et le mot de passe pour entrer dans l’espace de direction',
    opens: 'Ouvrir l’espace de direction',
    secret:
      'Toute la direction du séjour a ce mot de passe\u202f: ne le donnez à personne d’autre, pas même aux familles, qui ont le leur.',
  },
};

type EndingMessage = Pick<CodesMessage, 'stay' | 'publicUrl' | 'photosUntil' | 'signature'>;

export function endingMessage({ stay, publicUrl, photosUntil, signature }: EndingMessage): MessageBody {
  const intro = `Les photos du séjour ${named(stay)}, restent en ligne jusqu’au ${photosUntil} inclus. Ensuite, elles sont effacées pour toujours.`;
  return message(intro, [
    paragraph('Bonjour,'),
    paragraph(intro),
    paragraph(
      'Pour les garder, connectez-vous avec le mot de passe du séjour, puis choisissez «\u00a0Tout télécharger\u00a0»\u202f: elles arrivent dans un seul fichier. Une photo ouverte peut aussi être enregistrée seule.',
    ),
    ...button('La page du séjour', `${publicUrl}/stage-details/${stay.id}`, 'Voir les photos'),
    small(
      'Vous n’avez plus le mot de passe\u202f? La page de connexion permet de le demander avec cette adresse e-mail.',
    ),
    small(
      'Vos données du séjour (les prénoms et noms des enfants, vos adresses e-mail) sont effacées avec les photos.',
    ),
    paragraph(signed(signature)),
    small(WHY_RECEIVED),
  ]);
}

/** What is new in a stay, or in several, by number. */
export interface News {
  photos: number;
  /** Photos that were seen before, and are there in full now. */
  full: number;
  words: number;
  /** Whether all of the photos are of the day that ends. */
  ofToday: boolean;
}

/** « 14 photos d’aujourd’hui et un mot de l’équipe »; a subject begins with a capital. */
export function newsText({ photos, full, words, ofToday }: News, isSubject = false): string {
  const [one, several] = ofToday
    ? ['une photo d’aujourd’hui', 'photos d’aujourd’hui']
    : ['une nouvelle photo', 'nouvelles photos'];
  const parts = [
    counted(photos, one, several),
    counted(full, 'la pleine qualité d’une photo', 'photos en pleine qualité'),
    counted(words, 'un mot de l’équipe', 'mots de l’équipe'),
  ];
  const text = new Intl.ListFormat('fr').format(parts.filter((part) => part !== ''));
  return isSubject ? text.charAt(0).toUpperCase() + text.slice(1) : text;
}

function counted(count: number, one: string, several: string): string {
  return count === 0 ? '' : count === 1 ? one : `${count.toLocaleString('fr-FR')} ${several}`;
}

interface EveningMessage {
  stays: readonly { stay: CodesMessage['stay']; news: News; link: string }[];
  /** Page that ends these mails. */
  stop: string;
  signature: Signature;
}

export function eveningMessage({ stays, stop, signature }: EveningMessage): MessageBody {
  const several = stays.length > 1;
  return message('Message du soir', [
    paragraph('Bonjour,'),
    ...stays.flatMap(({ stay, news, link }) => [
      paragraph(`Le séjour ${named(stay)}\u202f: ${newsText(news)}.`),
      ...button(
        'Ouvrir les photos',
        link,
        several ? `Ouvrir «\u00a0${stay.nom_stage}\u00a0»` : 'Ouvrir les photos',
      ),
    ]),
    small('Ces liens sont faits pour vous seul\u202f: ne les transférez pas.'),
    paragraph(signed(signature)),
    small(WHY_RECEIVED),
    smallLink('Ne plus recevoir ce message du soir', stop),
  ]);
}

/** `until`: the last day of the link, « 5 décembre 2026 ». */
export function invitationMessage(
  username: string,
  link: string,
  until: string,
  signature: Signature,
): MessageBody {
  const intro = `Un accès au portail du CSE est prêt pour vous\u202f: il ne vous reste qu’à choisir votre mot de passe. Votre identifiant est «\u00a0${username}\u00a0».`;
  return message(intro, [
    paragraph('Bonjour,'),
    paragraph(intro),
    ...button('Choisir mon mot de passe', link, 'Choisir mon mot de passe'),
    small(
      `Ce lien est fait pour vous seul\u202f: ne le transférez pas. Il sert une fois, jusqu’au ${until}.`,
    ),
    paragraph(signed(signature)),
  ]);
}

export function freeMessage({ objet, texte }: MailTexts, signature: Signature): MessageBody {
  return message(objet, [...paragraphs(texte), paragraph(signed(signature))]);
}

export function wordMessage({ objet, texte }: MailTexts, signature: Signature): MessageBody {
  return message(objet, [
    ...readMarkdown(texte).map(marked),
    paragraph(signed(signature)),
    small(whyReceived('à un séjour')),
  ]);
}

export function contactMessage(written: { nom: string; email: string; message: string }): MessageBody {
  const from = `Message ${ofName(written.nom)} (${written.email}), écrit sur le site\u202f:`;
  return message(from, [
    small(from),
    ...paragraphs(written.message),
    small(`Répondez à cet e-mail\u202f: votre réponse part à ${written.email}.`),
  ]);
}

/** « Colo Mer », with its dates. */
function named({ nom_stage, date_debut, date_fin }: CodesMessage['stay']): string {
  return `«\u00a0${nom_stage}\u00a0», ${rangeOf(date_debut, date_fin, 'fr-FR')}`;
}

const whyReceived = (where: string) =>
  `Vous recevez ce message car votre adresse est inscrite ${where}. S’il ne vous est pas destiné, supprimez-le, s’il vous plaît.`;
const WHY_RECEIVED = whyReceived('à ce séjour');

function signed({ organisation, telephone }: Signature): string {
  return [organisation || 'Le comité social et économique', telephone]
    .filter((part) => part !== '')
    .join('\n');
}

/** A part of a mail in both forms; undefined where one lacks it. */
interface Part {
  text?: string;
  html: string;
}

function message(title: string, parts: readonly Part[]): MessageBody {
  const texts = parts.flatMap(({ text }) => text ?? []);
  return { text: `${texts.join('\n\n')}\n`, html: page(title, parts.map(({ html }) => html).join('')) };
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

const styled = (html: string, font = 'font-size:16px') =>
  `<p style="margin:0 0 16px;${font};line-height:1.5;color:${INK}">${html}</p>`;

const paragraph = (text: string): Part => ({ text, html: styled(lines(text)) });

/** A typed text, in which blank lines separate paragraphs; nothing when it is blank. */
function paragraphs(typed: string): Part[] {
  const text = typed.trim();
  if (text === '') return [];
  const parts = text.split(/\n\s*\n/).map(paragraph);
  return [{ text, html: parts.map(({ html }) => html).join('') }];
}

/** A block of light Markdown; its text goes without marks, but says where its links lead. */
function marked(block: Block): Part {
  if (block.type !== 'list') {
    const font = block.type === 'heading' ? 'font-size:18px;font-weight:700' : undefined;
    return { text: textOf(block.children), html: styled(htmlOf(block.children), font) };
  }
  const { isOrdered, start, items } = block;
  const tag = isOrdered ? 'ol' : 'ul';
  const rows = items.map((item) => `<li style="margin:0 0 6px">${htmlOf(item)}</li>`).join('');
  return {
    text: items.map((item, index) => `${isOrdered ? `${start + index}.` : '-'} ${textOf(item)}`).join('\n'),
    html: `<${tag}${isOrdered ? ` start="${start}"` : ''} style="margin:0 0 16px;padding-left:24px;font-size:16px;line-height:1.5;color:${INK}">${rows}</${tag}>`,
  };
}

/** Only links that leave the mail lead anywhere in it. */
const isAbsolute = (href: string) => /^(https?|mailto):/i.test(href);

const htmlOf = (inlines: readonly Inline[]): string =>
  inlines
    .map((one) => {
      if (typeof one === 'string') return escapeHtml(one);
      if (one.type === 'break') return '<br>';
      const inner = htmlOf(one.children);
      if (one.type !== 'link') return `<${one.type}>${inner}</${one.type}>`;
      if (!isAbsolute(one.href)) return inner;
      return `<a href="${escapeHtml(one.href)}" target="_blank" rel="noopener" style="color:${PINE}">${inner}</a>`;
    })
    .join('');

const textOf = (inlines: readonly Inline[]): string =>
  inlines
    .map((one) => {
      if (typeof one === 'string') return one;
      if (one.type === 'break') return '\n';
      const inner = textOf(one.children);
      return one.type === 'link' && isAbsolute(one.href) && one.href !== inner
        ? `${inner} (${one.href})`
        : inner;
    })
    .join('');

function small(text: string): Part {
  return {
    text,
    html: `<p style="margin:0 0 12px;font-size:14px;line-height:1.5;color:${QUIET}">${lines(text)}</p>`,
  };
}

function smallLink(label: string, address: string): Part {
  const link = `<a href="${escapeHtml(address)}" target="_blank" rel="noopener" style="color:${QUIET}">${escapeHtml(label)}</a>`;
  return { text: `${label}\u202f:\n${address}`, html: small('').html.replace('</p>', `${link}</p>`) };
}

function codesBox(codes: readonly [string, string][]): Part {
  const rows = codes.map(
    ([name, value]) =>
      `<tr><td style="padding:6px 20px"><div style="font-size:14px;line-height:1.5;color:${QUIET}">${escapeHtml(name)}</div>` +
      `<div style="font-size:20px;line-height:1.4;font-weight:700;letter-spacing:0.5px;color:${INK}">${escapeHtml(value)}</div></td></tr>`,
  );
  return {
    text: codes.map(([name, value]) => `${name}\u202f: ${value}`).join('\n'),
    html: `<table role="presentation" style="width:100%;margin:0 0 20px;padding:10px 0;background:${MIST};border-radius:12px;border-collapse:separate;border-spacing:0">${rows.join('')}</table>`,
  };
}

/** Link styled as a button, whose text says what it leads to; opens a new tab, as messages are also read in the portal. */
function button(what: string, address: string, label: string): Part[] {
  const style = `display:inline-block;padding:13px 24px;background:${PINE};border-radius:10px;font-size:16px;line-height:1.25;font-weight:600;color:#ffffff;text-decoration:none`;
  return [
    {
      text: `${what}\u202f:\n${address}`,
      html: `<p style="margin:0 0 20px"><a href="${escapeHtml(address)}" target="_blank" rel="noopener" style="${style}">${escapeHtml(label)}</a></p>`,
    },
    { html: small(`Si le bouton ne s’ouvre pas, recopiez cette adresse\u202f: ${address}`).html },
  ];
}

function page(title: string, body: string): string {
  return (
    '<!doctype html><html lang="fr"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">' +
    `<meta name="color-scheme" content="light"><title>${escapeHtml(title)}</title></head>` +
    `<body style="margin:0;padding:24px 16px;background:#ffffff;${FONT}">` +
    `<div style="max-width:560px;margin:0 auto;${CUT}">${body}</div></body></html>`
  );
}
