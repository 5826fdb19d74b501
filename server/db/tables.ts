import type { Generated } from 'kysely';
import type { Role } from '../../shared/roles.ts';

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

export interface SessionsTable {
  id: Generated<number>;
  /** SHA-256 of the token, in hexadecimal; the token itself is nowhere. */
  empreinte: string;
  role: Role;
  admin_id: number | null;
  stage_id: number | null;
  created_at: string;
  expire_le: string;
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
  created_at: string;
}

export interface JobsTable {
  id: Generated<number>;
  nom: string;
  charge: string;
  essais: number;
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

export interface Tables {
  admins: AdminsTable;
  sessions: SessionsTable;
  tentatives: TentativesTable;
  journal: JournalTable;
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
}
