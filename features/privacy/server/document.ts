import { readFile, rm, writeFile } from 'node:fs/promises';
import { IDENTITY_FIELDS } from '#features/site/shared/identity.ts';
import { CATEGORIES, CONSENTS, IMPORT_KINDS } from '#features/stays/shared/terms.ts';
import type { PrintedBlock } from '#platform/server/pdf/pdf.ts';
import type { Services } from '#platform/server/services.ts';
import { atHour, longMoment, shortDay } from '#platform/shared/dates.ts';
import { MAIL_KINDS, MAIL_STATES, MAIL_TROUBLES } from '#platform/shared/mails.ts';
import { isDay, readInstant, wallClock } from '#platform/shared/time.ts';

/* What the site knows of an address, as a document that the person can read and print: French words for wire names. */

/** All that is known of an address: rows by kind of place, under wire names. */
export interface Exported {
  adresse: string;
  date: string;
  donnees: Record<string, readonly object[]>;
}

/** The places, in the order for the reader: first the roles of the person, then the traces that they left. */
export const PLACES: Record<string, { title: string; one: string }> = {
  familles: { title: 'Enfants inscrits à des séjours', one: 'Inscription' },
  secondes_adresses: { title: 'Enfants dont la famille a aussi une autre adresse', one: 'Inscription' },
  directeurs: { title: 'Direction de séjours', one: 'Directeur' },
  employes: { title: 'Organigramme', one: 'Employé' },
  contact: { title: 'Messages de contact', one: 'Message' },
  envois: { title: 'E-mails que le site a envoyés ou va envoyer', one: 'E-mail' },
  imports: { title: 'Dernier import de familles\u202f: ce qu’il a changé', one: 'Ligne' },
  imports_directeurs: { title: 'Dernier import de directeurs\u202f: ce qu’il a changé', one: 'Ligne' },
  taches: { title: 'Tâches que le site va faire', one: 'Tâche' },
  administrateurs: { title: 'Compte du portail', one: 'Compte' },
  journal: { title: 'Actions faites dans le portail', one: 'Action' },
  reglages: { title: 'Réglages du site', one: 'Réglage' },
};

/** Words for wire names; one that is not here is shown as it is. */
const LABELS: Record<string, string> = {
  action: 'Action',
  cadrage_x: 'Cadrage de la photo, à gauche (%)',
  cadrage_y: 'Cadrage de la photo, en haut (%)',
  cat: 'Affectation',
  charge: 'Contenu',
  consentement_image: 'Droit à l’image',
  created_at: 'Enregistré le',
  date_debut: 'Premier jour du séjour',
  date_fin: 'Dernier jour du séjour',
  destinataire: 'Destinataire',
  email: 'E-mail',
  email_2: 'Second e-mail',
  email_public: 'E-mail montré aux visiteurs',
  erreur: 'Pourquoi il n’est pas parti',
  etat: 'État',
  genre: 'Genre',
  id: 'Numéro',
  import_id: 'Numéro de l’import',
  instant: 'Date',
  ip: 'Adresse du réseau, raccourcie',
  lu_le: 'Lu le',
  mail: 'E-mail',
  manager_id: 'Numéro du responsable',
  message: 'Message',
  modifie_le: 'Modifié le',
  nom: 'Nom',
  nom_stage: 'Séjour',
  objet: 'Objet',
  objet_id: 'Numéro de l’objet',
  photo: 'Fichier de la photo',
  photo_contenu: 'Photo',
  photo_public: 'Photo montrée aux visiteurs',
  poste: 'Poste',
  prenom: 'Prénom',
  reglage: 'Réglage',
  reponse: 'Réponse du fournisseur',
  role: 'Rôle',
  sejours: 'Séjour dirigé',
  stageId: 'Numéro du séjour',
  supprime_le: 'Mis à la corbeille le',
  telephone: 'Téléphone',
  telephone_public: 'Téléphone montré aux visiteurs',
  termine_le: 'Terminé le',
  texte: 'Texte',
  username: 'Identifiant',
  valeur: 'Valeur',
  version: 'Nombre de versions',
  vu_le: 'Dernière connexion',
};

const SETTINGS = Object.fromEntries(
  Object.entries(IDENTITY_FIELDS).map(([name, { label }]) => [name, label]),
);
const YES_NO = { 0: 'Non', 1: 'Oui' };

const CODES: Record<string, Record<string, string>> = {
  cat: CATEGORIES,
  consentement_image: CONSENTS,
  email_public: YES_NO,
  erreur: MAIL_TROUBLES,
  etat: MAIL_STATES,
  genre: { ...MAIL_KINDS, ...IMPORT_KINDS },
  photo_public: YES_NO,
  reglage: SETTINGS,
  telephone_public: YES_NO,
};

const BLANK = '—';

/** Everything exported, as a PDF; nothing that the JSON holds is left out. */
export async function personalDocument(
  services: Services,
  exported: Exported,
  organisation: string,
): Promise<Buffer> {
  const { TIME_ZONE } = services.config;
  const { adresse, date, donnees } = exported;
  const at = longMoment(wallClock(new Date(date), TIME_ZONE));
  const value = (label: string, text: string): PrintedBlock => ({ tag: 'P', label, text });
  const blocks: PrintedBlock[] = [
    { tag: 'H1', text: 'Données personnelles' },
    value('Adresse e-mail', adresse),
    value('Établi par', organisation),
    value('Établi le', at),
    value('À quoi sert ce document', PURPOSE),
    value('Ce qu’il contient', WHOLE),
  ];
  for (const [genre, found] of Object.entries(donnees)) {
    const { title, one } = PLACES[genre] ?? { title: genre, one: 'Ligne' };
    for (const [index, row] of found.entries()) {
      const number = found.length === 1 ? one : `${one} ${index + 1} sur ${found.length}`;
      blocks.push({ tag: 'H2', text: `${title} — ${number}` });
      for (const [name, label, field] of fieldsOf(row)) {
        const [, webp] = /^data:image\/webp;base64,(.*)$/.exec(String(field)) ?? [];
        blocks.push(
          webp === undefined
            ? value(label, textOf(name, field, TIME_ZONE) || BLANK)
            : { tag: 'Figure', text: label, jpeg: await asJpeg(services, Buffer.from(webp, 'base64')) },
        );
      }
    }
  }
  return services.pdfs.write({ title: 'Données personnelles', about: `${organisation}, le ${at}`, blocks });
}

const PURPOSE =
  'Toute personne peut demander ce qu’un site sait d’elle (article 15 du règlement européen sur la protection des ' +
  'données). Voici ce que ce site sait de cette adresse e-mail.';
const WHOLE =
  'Tout ce qui est enregistré sous cette adresse, à la date ci-dessus. Ce qui concerne d’autres personnes n’y est pas. ' +
  'Un tiret veut dire que rien n’est enregistré.';

/** The fields of a row, those of what it contains after them: wire name, label, value. */
function fieldsOf(row: object, before = ''): [name: string, label: string, value: unknown][] {
  return Object.entries(row).flatMap(([name, value]) => {
    const label = before === '' ? labelOf(name) : `${before}\u202f: ${inside(labelOf(name))}`;
    if (Array.isArray(value)) {
      return value.flatMap((one, index) => {
        const numbered = value.length === 1 ? label : `${label} ${index + 1}`;
        return isObject(one) ? fieldsOf(one, numbered) : [[name, numbered, one] as [string, string, unknown]];
      });
    }
    return isObject(value) ? fieldsOf(value, label) : [[name, label, value] as [string, string, unknown]];
  });
}

const BEFORE = /^avant_/;

function labelOf(name: string): string {
  const now = name.replace(BEFORE, '');
  return now === name ? (LABELS[name] ?? name) : `${LABELS[now] ?? now}, avant l’import`;
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

/** A label within a sentence: « E-mail » becomes « e-mail ». */
function inside(label: string): string {
  return label.charAt(0).toLowerCase() + label.slice(1);
}

function textOf(name: string, value: unknown, timeZone: string): string {
  if (value === null || value === undefined || value === '') return '';
  return CODES[name.replace(BEFORE, '')]?.[String(value)] ?? french(String(value), timeZone);
}

/** A day or an instant as people read it; any other text as it is. */
function french(text: string, timeZone: string): string {
  if (isDay(text)) return shortDay(text);
  const instant = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(text) ? readInstant(text, 'UTC') : undefined;
  if (!instant) return text;
  const wall = wallClock(instant, timeZone);
  return `${shortDay(wall.slice(0, 10))} ${atHour(wall)}`;
}

/** Pixels of the longest side of a photo in the document. */
const PHOTO_SIDE = 1_200;

/** A photo in the format that every reader of PDFs shows; the site keeps WebP. */
async function asJpeg({ images, staging }: Services, webp: Buffer): Promise<Buffer> {
  const [input, jpeg] = [staging.newPath(), staging.newPath()];
  try {
    await writeFile(input, webp, { flag: 'wx', mode: 0o600 });
    await images.photo(input, { jpeg: { side: PHOTO_SIDE, path: jpeg }, sizes: [] });
    return await readFile(jpeg);
  } finally {
    for (const path of [input, jpeg]) await rm(path, { force: true });
  }
}
