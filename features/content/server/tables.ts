import type { Generated } from 'kysely';
import type { TableKeys } from '#platform/server/db/tables.ts';

/** The columns that all content tables share; the others follow the fields of the kinds. */
interface ContentTable {
  id: Generated<number>;
  created_at: string;
  modifie_le: string;
  publie_du: string | null;
  publie_au: string | null;
  supprime_le: string | null;
  /** 1: a draft, which staff alone see; else 0. */
  brouillon: Generated<number>;
  version: number;
}

export interface Searched {
  /** The words of its texts, as `foldedColumn` makes it. */
  plie: Generated<string>;
}

export interface Illustrated {
  /** JSON array of `Illustration`, in the order of the pictures. */
  illustrations: string;
}

interface ActualitesTable extends ContentTable, Illustrated, Searched {
  titre: string;
  description: string;
  image_url: string | null;
}

interface AlauneTable extends ContentTable, Illustrated, Searched {
  titre: string;
  resume: string;
  description: string;
  lien_article: string;
  image_url: string | null;
}

interface AvantageTable extends AlauneTable {
  /** One of `BENEFIT_CATEGORIES`. */
  categorie: Generated<string>;
  /** What one saves, such as « 32 € au lieu de 46 € »; blank when unsaid. */
  economie: Generated<string>;
}

interface EventsTable extends ContentTable, Illustrated, Searched {
  title: string;
  date: string;
  /** Its end, as `date`; blank when unsaid. */
  fin: Generated<string>;
  location: string;
  lien_plan: Generated<string>;
  summary: string;
  article: string;
  lien_inscription: Generated<string>;
  image_url: string | null;
  images: string;
}

interface LogosTable extends ContentTable, Illustrated {
  nom: string;
  url_site: string;
  image: string | null;
}

interface DocumentsTable extends ContentTable {
  nom: string;
  date_ajout: string;
  url: string;
}

declare module '#platform/server/db/tables.ts' {
  interface Tables {
    actualites: ActualitesTable;
    alaune: AlauneTable;
    avantage: AvantageTable;
    events: EventsTable;
    logos: LogosTable;
    documents: DocumentsTable;
    /** The text of minutes as extracted from their PDF, one row for each page. */
    documents_pages: {
      document_id: number;
      /** From 1. */
      page: number;
      texte: string;
      /** Its words, folded and joined by spaces: the column that the search matches. */
      plie: string;
    };
  }
}

export const contentTables = {
  actualites: ['id'],
  alaune: ['id'],
  avantage: ['id'],
  events: ['id'],
  logos: ['id'],
  documents: ['id'],
  documents_pages: ['document_id', 'page'],
} satisfies Partial<TableKeys>;
