import type { Generated } from 'kysely';
import type { PhotoState, PhotoVersion } from '#features/photos/shared/terms.ts';
import type { Category, Consent, ImportKind, ReviewSection } from '#features/stays/shared/terms.ts';
import type { MailKind, MailState, MailTrouble } from '#platform/shared/mails.ts';
import type { PasswordType, Role } from '#platform/shared/roles.ts';

/** One interface a table; names are the wire's. Instants are ISO text in UTC. */

export interface AdminsTable {
  id: Generated<number>;
  username: string;
  /** The name folded to one case, unique. */
  cle: string;
  mot_de_passe: string;
  created_at: string;
  vu_le: string | null;
}

/** The second factor of an admin: there from when its secret is shown, asked for once `actif_le` is set. */
export interface SecondsFacteursTable {
  admin_id: number;
  /** Sealed. */
  secret: string;
  /** Since when it is asked for; null until a first code has come. */
  actif_le: string | null;
  /** The last step of which a code was taken: no code of it, or of an older one, is taken again. */
  pas: Generated<number>;
}

/** A recovery code that was not used yet. */
export interface CodesSecoursTable {
  admin_id: number;
  /** Keyed hash. */
  empreinte: string;
}

export interface SessionsTable {
  id: Generated<number>;
  /** SHA-256 of the token, in hexadecimal; the token itself is nowhere. */
  empreinte: string;
  role: Role;
  admin_id: number | null;
  stage_id: number | null;
  created_at: string;
  expire_le: string;
  /** 1: a family that has answered the questionnaire. */
  evaluation_faite: Generated<number>;
}

export interface TentativesTable {
  /** Keyed hash of what is counted: no address is readable here. */
  cle: string;
  echecs: number;
  attendre_jusqua: string;
  dernier_le: string;
}

export interface JournalTable {
  id: Generated<number>;
  instant: string;
  acteur: string;
  action: string;
  objet: string | null;
  objet_id: number | null;
  ip: string | null;
  /** Its link: keyed hash of the line and of what was left by the one before it. */
  chaine: string;
}

/** One row: where the chain of the journal begins and goes on. */
export interface JournalTeteTable {
  id: number;
  /** Names the key that the chain is made with. */
  cle: string;
  /** What the last line that was erased left; the first one hangs on it. */
  ancre: string;
  /** What the last line left; the next one will hang on it. Also the lock that gives lines one order. */
  suite: string;
}

export interface ReglagesTable {
  cle: string;
  valeur: string;
  modifie_le: string;
}

export interface FichiersTable {
  nom: string;
  dossier: string;
  /** Table and id of the row that holds the file. */
  objet: string;
  objet_id: number;
  type: string;
  taille: number;
  sha256: string;
  /** Widths that exist beside the largest, `320;720`; blank until they are made. */
  largeurs: string;
  /** Of photos: what a ZIP says of its files. */
  crc32: Generated<number | null>;
  created_at: string;
  /** When it was last read again; blank: never. */
  verifie_le: Generated<string>;
  /** Since when its readings find it damaged or missing. */
  abime_le: Generated<string | null>;
}

export interface JobsTable {
  id: Generated<number>;
  nom: string;
  charge: string;
  essais: number;
  /** The lower goes first, whichever was added before. */
  rang: Generated<number>;
  a_faire_le: string;
  /** Until then a worker has it; past that it died with it and another may take it. */
  pris_jusqua: string | null;
  erreur: string | null;
  created_at: string;
}

export interface PlanificationsTable {
  nom: string;
  prochaine_le: string;
  derniere_le: string | null;
  /** Its last run that came to its end; until there is one, its first try. */
  reussie_le: Generated<string | null>;
}

export interface PagesVuesTable {
  /** `2026-06-20` on the clocks of the site; blank: all days together. */
  jour: string;
  page: string;
  nombre: number;
}

export interface ExemplesTable {
  id: Generated<number>;
  /** Names the item in the example, whatever its row. */
  cle: string;
  /** Table and id of its row; no id until it is there. The row may have been erased from the bin since. */
  objet: string;
  objet_id: number | null;
}

export interface MessagesContactTable {
  id: Generated<number>;
  nom: string;
  email: string;
  message: string;
  created_at: string;
  /** When somebody of the staff said that it is read; null: it waits. */
  lu_le: string | null;
}

/** What all content tables share; their own columns follow the kinds. */
export interface ContentTable {
  id: Generated<number>;
  created_at: string;
  modifie_le: string;
  publie_du: string | null;
  publie_au: string | null;
  supprime_le: string | null;
  version: number;
}

interface Illustrated {
  /** JSON array of `Illustration`, in the order of the pictures. */
  illustrations: string;
}

export interface ActualitesTable extends ContentTable, Illustrated {
  titre: string;
  description: string;
  image_url: string | null;
}

export interface AlauneTable extends ContentTable, Illustrated {
  titre: string;
  resume: string;
  description: string;
  lien_article: string;
  image_url: string | null;
}

export interface EventsTable extends ContentTable, Illustrated {
  title: string;
  date: string;
  location: string;
  summary: string;
  article: string;
  image_url: string | null;
  images: string;
}

export interface LogosTable extends ContentTable, Illustrated {
  nom: string;
  url_site: string;
  image: string | null;
}

export interface DocumentsTable extends ContentTable {
  nom: string;
  date_ajout: string;
  url: string;
}

/** The text of minutes, page by page, as their PDF says it. */
export interface DocumentsPagesTable {
  document_id: number;
  /** From 1. */
  page: number;
  texte: string;
  /** Its words folded, with a space between: what a search looks into. */
  plie: string;
}

export interface EmployesTable extends Illustrated {
  id: Generated<number>;
  nom: string;
  prenom: string;
  poste: string;
  role: string;
  /** The employee above; never one who is in the bin. */
  manager_id: number | null;
  /** In the bin: ids of those who moved up when this one went there, `12;15`. */
  equipe: Generated<string>;
  email: string;
  telephone: string;
  photo: string | null;
  /** 1: shown to visitors. */
  email_public: number;
  telephone_public: number;
  photo_public: number;
  /** Percents of what a square leaves out of the photo that lie to its left and above it. */
  cadrage_x: number;
  cadrage_y: number;
  created_at: string;
  modifie_le: string;
  supprime_le: string | null;
  version: number;
}

export interface StagesTable {
  id: Generated<number>;
  nom_stage: string;
  /** `stayKey` of its name and dates, unique. */
  cle: string;
  date_debut: string;
  date_fin: string;
  /** Sealed; see `features/stays/server/staysStore.ts`. */
  mdp_formateur: string;
  mdp_stagiaire: string;
  adresse: Generated<string>;
  horaires: Generated<string>;
  telephone_urgence: Generated<string>;
  consignes: Generated<string>;
  /** Days that its photos stay; null: as the settings say. */
  conservation_jours: number | null;
  /** Since when its people are erased and its passwords blank, its photos being over. */
  efface_le: Generated<string | null>;
  /** Since when its photos were seen to be over; they are erased a day later. */
  fini_le: Generated<string | null>;
  /** The last day of its photos that its families were told of, a week before. */
  prevenu_pour: Generated<string | null>;
  created_at: string;
  modifie_le: string;
  version: Generated<number>;
}

export interface FormateursTable {
  id: Generated<number>;
  nom: string;
  prenom: string;
  mail: string;
  /** The address folded to one case, unique: the same address is the same person. */
  cle_mail: string;
  telephone: string;
  created_at: string;
  modifie_le: string;
  version: Generated<number>;
}

/** Who directs which stay, and as what. */
export interface AffectationsTable {
  formateur_id: number;
  stage_id: number;
  cat: Category;
}

export interface StagiairesTable {
  id: Generated<number>;
  stage_id: number;
  nom: string;
  prenom: string;
  /** `childKey` of the names, unique in its stay. */
  cle: string;
  email: string;
  email_2: Generated<string>;
  consentement_image: Consent;
  created_at: string;
  modifie_le: string;
  version: Generated<number>;
}

export interface LivretsTable {
  id: Generated<number>;
  /** What it is called on the wire and on screen. */
  nom: string;
  cle: string;
  created_at: string;
}

/** A section of a stay's review by its directors. */
export interface BilansTable {
  stage_id: number;
  code: ReviewSection;
  note: number | null;
  commentaire: string;
  modifie_le: string;
}

/** A family's answers, with nothing that says whose. */
export interface EvaluationsTable {
  /** Random, so that their order says nothing either. */
  cle: string;
  stage_id: number;
  /** JSON of marks by question. */
  notes: string;
  /** 1 yes, 0 no. */
  recommande: number | null;
  texte: string;
  /** The day alone: an hour could tell who. */
  jour: string;
}

/** How far an import is; a preview reads and goes no further. */
export type ImportStage = 'apercu' | 'lecture' | 'enregistrement' | 'fait';

/** An import, from its first byte; one that is done stays as the last of its kind. */
export interface ImportsTable {
  id: Generated<number>;
  genre: ImportKind;
  /** Name under which a browser asks how far it is. */
  suivi: string | null;
  etape: ImportStage;
  /** Percent of the file that is read. */
  avance: Generated<number>;
  crees: Generated<number>;
  modifies: Generated<number>;
  acteur: string;
  created_at: string;
  /** Its last sign of life: one that gives none for long has died. */
  vu_le: string;
}

/** A child that an import made or changed, and what was there before. */
export interface ImportsFamillesTable {
  id: Generated<number>;
  import_id: number;
  stagiaire_id: number;
  /** Of the child after the import. */
  version: number;
  /** Null: the child was made. */
  avant_nom: string | null;
  avant_prenom: string | null;
  avant_email: string | null;
  avant_email_2: string | null;
  avant_consentement_image: Consent | null;
}

/** A stay that an import made or changed. */
export interface ImportsSejoursTable {
  id: Generated<number>;
  import_id: number;
  stage_id: number;
  /** Of the stay after the import. */
  version: number;
  /** Null: the stay was made. */
  avant_nom_stage: string | null;
  /** Sealed as they were. */
  avant_mdp_formateur: string | null;
  avant_mdp_stagiaire: string | null;
}

/** Mails of one kind that were asked for together. */
export interface EnvoisTable {
  id: Generated<number>;
  genre: MailKind;
  /** Whose codes; null for other mails. */
  type: PasswordType | null;
  /** Random: what its sealed texts and the numbers of its messages are made with. */
  cle: string;
  /** What staff wrote, `{objet, texte}`, sealed; blank when there is nothing, or nothing any longer. */
  contenu: string;
  acteur: string;
  admin_id: number | null;
  created_at: string;
}

/** A message to one address. What it says is put together when it leaves or is read. */
export interface EnvoisMessagesTable {
  id: Generated<number>;
  envoi_id: number;
  /** The stay whose code it brings. */
  stage_id: number | null;
  /** The contact message that it brings. */
  contact_id: number | null;
  destinataire: string;
  /** The address folded to one case. */
  cle_destinataire: string;
  /** The lane that it leaves by: of its provider, or the one of all others. */
  voie: string;
  /** The lowest first: whoever asks for one message does not wait behind a thousand. */
  rang: number;
  etat: MailState;
  essais: Generated<number>;
  /** Since it was written, or since staff last sent it again. */
  attend_depuis: string;
  a_envoyer_le: string;
  /** Until then the sender has it; past that it died with it. */
  pris_jusqua: string | null;
  erreur: MailTrouble | null;
  /** What the mail server answered, cut short. */
  reponse: string | null;
  /** Keyed hash of the password that it brought, once it has left. */
  mdp_empreinte: string | null;
  created_at: string;
  /** Since when it is sent or given up. */
  termine_le: string | null;
}

/** A lane of mails; the one called `relais` is the mail server itself, which all go through. */
export interface EnvoisVoiesTable {
  nom: string;
  /** Nothing leaves by it before. */
  libre_le: string;
  /** How many times in a row it asked to wait. */
  reculs: Generated<number>;
  erreur: MailTrouble | null;
  depuis: string | null;
}

/** How many messages left in an hour: the day's limit holds whatever is deleted meanwhile. */
export interface EnvoisHeuresTable {
  /** `2026-06-20T09`, UTC. */
  heure: string;
  nombre: number;
}

/** Erasures that this database knows of; those of the file beside the database that it does not, it has to do again. */
export interface EffacementsTable {
  cle: string;
  genre: string;
  instant: string;
}

/** A photo, from the moment its file has come whole. */
export interface PhotosTable {
  id: Generated<number>;
  stage_id: number;
  /** SHA-256 of the file as it was taken, unique in its stay: the same file is the same photo. */
  empreinte: string;
  statut: PhotoState;
  /** The best that has come. */
  version: PhotoVersion;
  /** Why a person refused it. */
  motif: Generated<string>;
  /** Why its file, or its full version, could not be made into a photo. */
  refus: Generated<string>;
  /** Name of the file as it was sent; blank once the photo is prepared. */
  nom_envoye: Generated<string>;
  /** Random: what the names of its files begin with; null until it is prepared. */
  nom: string | null;
  /** 1: prepared from its full version. */
  a_jpeg: Generated<number>;
  jour: string;
  /** The moment on the clock of who took it. */
  prise_le: string;
  legende: Generated<string>;
  largeur: Generated<number>;
  hauteur: Generated<number>;
  apercu: Generated<string>;
  /** Of its files, what waits for preparation included. */
  octets: Generated<number>;
  /** From when families see it, once it is `publiee`; may be to come. */
  publiee_le: string | null;
  /** Of its last change, among those of its stay. */
  numero: number;
  /** Of the change since which families see it no longer; 0: they never lost it. */
  cachee: Generated<number>;
  created_at: string;
  modifie_le: string;
}

/** Counts the changes of a stay's photos and words, so that whoever looks at them asks for what is new only. */
export interface PhotosFluxTable {
  stage_id: number;
  numero: number;
  /** The last change of what families see. */
  vu: number;
}

/** Photos that were erased, so that pages which show them are told to take them away. */
export interface PhotosEffaceesTable {
  photo_id: number;
  stage_id: number;
  /** Of the change that erased it. */
  numero: number;
  /** As of a photo. */
  cachee: number;
}

/** Photos on their way; what has come of each is files of the register. */
export interface PhotosEnvoisTable {
  id: Generated<number>;
  /** Stay and random name, as in its address. */
  nom: string;
  stage_id: number;
  /** SHA-256 of the full version. */
  empreinte: string;
  /** JSON of what was said of the file. */
  annonce: string;
  /** In bytes: of the whole file, and what has come of it. */
  taille: number;
  recu: Generated<number>;
  modifie_le: string;
}

/** A removal that somebody asked for. */
export interface PhotosRetraitsTable {
  id: Generated<number>;
  photo_id: number;
  /** The sign-in, which may have ended since: not a reference. */
  session_id: number;
  mot: string;
  /** 1 when it hid the photo at once. */
  a_masque: Generated<number>;
  created_at: string;
  /** Since when a person has decided. */
  traite_le: string | null;
}

/** Photos to be downloaded together, for a day. */
export interface PhotosSelectionsTable {
  cle: string;
  stage_id: number;
  session_id: number;
  /** JSON array of photo ids. */
  ids: string;
  created_at: string;
}

/** When a sign-in first opened a photo: kept as long as the photo, for the day when a password has leaked. */
export interface PhotosOuverturesTable {
  photo_id: number;
  session_id: number;
  /** Shortened. */
  ip: string;
  ouverte_le: string;
}

/** What the directors of a stay say of one of its days. */
export interface JoursTable {
  stage_id: number;
  jour: string;
  mot: string;
  modifie_le: string;
}

/**
 * That somebody confirmed that the families of a stay agree to photos; once those are erased, the proof of it, with
 * counts and without names.
 */
export interface AttestationsTable {
  id: Generated<number>;
  stage_id: number;
  nom_stage: string;
  date_debut: string;
  date_fin: string;
  /** Which wording was confirmed. */
  formulaire: string;
  atteste_le: string;
  acteur: string;
  /** How many children had said what, counted when they were erased; null until then. */
  oui: number | null;
  non: number | null;
  inconnu: number | null;
  /** How many photos were erased. */
  photos: number | null;
  efface_le: string | null;
}

/** One row: when the site last looked whether photos are over, by a clock that it believed. */
export interface HorlogeTable {
  id: number;
  vue_le: string;
}

/** A trouble that is there, or was until lately; see `features/dashboard/server/watches/tell.ts`. */
export interface AlertesTable {
  /** Of the watch that sees it. */
  cle: string;
  /** When it was last seen. */
  vue_le: string;
  /** When a mail last told of it; null: none has. */
  dite_le: string | null;
}

/** How much there was of something in an hour; see `platform/server/http/bursts.ts`. */
export interface RafalesTable {
  genre: string;
  /** Whose; blank: everybody's together. */
  cle: string;
  /** `2026-06-20T09`, UTC. */
  heure: string;
  nombre: number;
}

export interface Tables {
  admins: AdminsTable;
  seconds_facteurs: SecondsFacteursTable;
  codes_secours: CodesSecoursTable;
  sessions: SessionsTable;
  tentatives: TentativesTable;
  journal: JournalTable;
  journal_tete: JournalTeteTable;
  reglages: ReglagesTable;
  fichiers: FichiersTable;
  jobs: JobsTable;
  planifications: PlanificationsTable;
  pages_vues: PagesVuesTable;
  exemples: ExemplesTable;
  messages_contact: MessagesContactTable;
  actualites: ActualitesTable;
  alaune: AlauneTable;
  avantage: AlauneTable;
  events: EventsTable;
  logos: LogosTable;
  documents: DocumentsTable;
  documents_pages: DocumentsPagesTable;
  employes: EmployesTable;
  stages: StagesTable;
  formateurs: FormateursTable;
  affectations: AffectationsTable;
  stagiaires: StagiairesTable;
  livrets: LivretsTable;
  bilans: BilansTable;
  evaluations: EvaluationsTable;
  imports: ImportsTable;
  imports_familles: ImportsFamillesTable;
  imports_sejours: ImportsSejoursTable;
  envois: EnvoisTable;
  envois_messages: EnvoisMessagesTable;
  envois_voies: EnvoisVoiesTable;
  envois_heures: EnvoisHeuresTable;
  effacements: EffacementsTable;
  photos: PhotosTable;
  photos_flux: PhotosFluxTable;
  photos_effacees: PhotosEffaceesTable;
  photos_retraits: PhotosRetraitsTable;
  photos_envois: PhotosEnvoisTable;
  photos_selections: PhotosSelectionsTable;
  photos_ouvertures: PhotosOuverturesTable;
  jours: JoursTable;
  attestations: AttestationsTable;
  horloge: HorlogeTable;
  alertes: AlertesTable;
  rafales: RafalesTable;
}
