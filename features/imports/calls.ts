import { z } from 'zod';
import { IMPORT_KINDS, type ImportKind } from '#features/stays/shared/terms.ts';
import { TABLE_BYTES } from '#platform/shared/bytes.ts';
import { call, idParams, instant, workbook } from '#platform/shared/call.ts';
import { ENCODINGS, type Encoding } from '#platform/shared/encodings.ts';

/*
 * Stays, families and directors from a spreadsheet, in two steps: a preview, which stores nothing, then the import, all or
 * nothing. Both are sent the file, and beside it the lines that were corrected on screen.
 */

/** Maximum number of faulty lines reported, the first ones; `erreurs` counts all of them. */
export const FAULTS_TOLD = 200;

/** One line as it stands in the file, or as it was corrected. */
export const importedLine = z.object({
  /** Line number in the file, from 1, header included; for a line with line breaks in cells, where it starts. */
  ligne: z.number(),
  /** Its cells, in the order of `colonnes`. */
  cellules: z.array(z.string()),
});

const reason = z.object({
  ligne: z.number(),
  /** Wire name of the column; blank when the reason is about the whole line. */
  colonne: z.string(),
  raison: z.string(),
});
export type ImportReason = z.infer<typeof reason>;

/** A header that the site does not know by itself. */
const title = z.object({
  /** As it stands in the file. */
  titre: z.string(),
  /** Wire name of the column that it stands for; blank: it is not read. */
  colonne: z.string(),
});

/**
 * What a file needs said about its headers; a 422 for a missing column has it too, with what headers may stand for by
 * their cells.
 */
const titles = {
  titres: z.array(
    title.extend({
      /** Whether this was recalled from an earlier import. */
      retenu: z.boolean(),
      /** Some of the cells below. */
      exemples: z.array(z.string()),
    }),
  ),
  /** Wire names of the columns that no header stands for. */
  libres: z.array(z.string()),
};
const askedTitles = z.object(titles);
export type AskedTitles = z.infer<typeof askedTitles>;

/** What a sender says of headers. */
export const saidTitles = z.array(title).max(200);

/** What was read of a file, and what it has beside; a 422 of a file that could be opened has it too. */
const read = z.object({
  /** Name of the sheet that was read; null: the file has none. */
  feuille: z.string().nullable(),
  /** The sheets that have lines. */
  feuilles: z.array(z.object({ nom: z.string(), lignes: z.number(), masquee: z.boolean() })),
  /** Of a text file; null for a workbook. */
  encodage: z.enum(Object.keys(ENCODINGS) as Encoding[]).nullable(),
  /** Number of the line that has the headers; null: there is none. */
  ligne_titres: z.number().nullable(),
  /** The lines above it, which are not read. */
  passees: z.array(z.string()),
  /** Numbers of the hidden lines, which are only read if that was asked for. */
  masquees: z.array(z.number()),
  masquees_lues: z.boolean(),
  /** Letters of the hidden columns, which are read as others are. */
  colonnes_masquees: z.array(z.string()),
});
export type ReadFile = z.infer<typeof read>;

/** What a file asks, and what was answered: see `reponses` of the body. */
const question = z.object({
  /** Its name, to answer it by. */
  question: z.string(),
  texte: z.string(),
  /** One: a tick. None: a stay is chosen, by its number. */
  choix: z.array(z.object({ valeur: z.string(), texte: z.string() })),
  /** Its lines are faulty until it is answered; otherwise they do without what is asked for. */
  obligatoire: z.boolean(),
  /** Each line may have an answer of its own. */
  une_a_une: z.boolean(),
  /** The answer for all its lines; blank: none. */
  reponse: z.string(),
  /** Whether the answer was recalled from an earlier import. */
  retenu: z.boolean(),
  /** How many lines ask. */
  nombre: z.number(),
  /** The first of them, with what they are about. `reponse`: the line's own, blank for none. */
  lignes: z.array(z.object({ ligne: z.number(), texte: z.string(), reponse: z.string() })),
});
export type ImportQuestion = z.infer<typeof question>;

/** What a sender answers; a line may have an answer of its own. */
export const saidAnswers = z
  .array(z.object({ question: z.string(), ligne: z.number().optional(), reponse: z.string() }))
  .max(5_000);

/** Maximum number of changed lines that a preview shows, with what each changes. */
export const CHANGES_TOLD = 1_000;

const counts = { creer: z.number(), modifier: z.number(), inchangees: z.number() };

const preview = z.object({
  ...counts,
  /** Lines with data, faulty ones included. */
  lignes: z.number(),
  /** How many lines are faulty. */
  erreurs: z.number(),
  /** Wire names of the columns found in the file, in a fixed order, not that of the file. */
  colonnes: z.array(z.string()),
  /** Headers that are not read, as they stand in the file. */
  ignorees: z.array(z.string()),
  ...titles,
  lu: read,
  /** Numbers of the faulty lines: the first ones, as many as can be corrected. */
  fautives: z.array(z.number()),
  /** How many lines repeat or complete an earlier one, and are no lines of their own; `avertissements` names them. */
  doublons: z.number(),
  /** The first faulty lines, each with its reasons. */
  fautes: z.array(importedLine.extend({ raisons: z.array(reason.omit({ ligne: true })) })),
  questions: z.array(question),
  /** The lines that change something stored, `CHANGES_TOLD` at most, with what was there and what will be. */
  changements: z.array(
    z.object({
      ligne: z.number(),
      /** Whom or what it changes. */
      qui: z.string(),
      valeurs: z.array(z.object({ colonne: z.string(), avant: z.string(), apres: z.string() })),
    }),
  ),
  /** How many lines are left aside; an import keeps them as a list. */
  laissees: z.number(),
  /** Warnings that do not prevent the import, such as a known stay's name with other dates. */
  avertissements: z.array(z.object({ ligne: z.number(), raison: z.string() })),
  /** The first lines that create or change something. */
  extrait: z.array(importedLine.extend({ etat: z.enum(['creer', 'modifier']) })),
});
export type ImportPreview = z.infer<typeof preview>;

const progressKey = z.string().regex(/^[\w-]{16,64}$/, { error: 'ce nom de suivi n’est pas valable.' });

const body = {
  as: 'multipart' as const,
  schema: z.object({
    corrections: z.string().optional().meta({
      description:
        'JSON des lignes corrigées, [{ligne, cellules}] : les cellules dans l’ordre de « colonnes » ; sans cellule, la ligne est laissée de côté.',
    }),
    titres: z.string().optional().meta({
      description:
        'JSON de ce que disent les titres que le site ne connaît pas, [{titre, colonne}] : une colonne vide n’est pas lue. Un import réussi s’en souvient ; les titres qui manquent ici sont reconnus d’après le dernier.',
    }),
    feuille: z.string().optional().meta({
      description:
        'Nom de la feuille à lire. Sans lui, la première feuille visible où des titres sont reconnus.',
    }),
    masquees: z.enum(['lire']).optional().meta({
      description: '« lire » : les lignes masquées aussi, qui sont sinon laissées de côté.',
    }),
    encodage: read.shape.encodage.unwrap().optional().meta({
      description: 'Encodage d’un fichier texte. Sans lui, il est reconnu.',
    }),
    reponses: z.string().optional().meta({
      description:
        'JSON des réponses aux « questions » de l’aperçu, [{question, reponse}], avec {ligne} pour une seule ligne. Sans réponse, un refus, une adresse ou un mot de passe connus restent, et ce qui a été retiré du site n’y revient pas.',
    }),
    /** Name made up by the browser, by which it asks for the progress. */
    suivi: progressKey.optional(),
  }),
  files: { file: { label: 'Fichier', kind: 'table' as const, maxBytes: TABLE_BYTES, maxFiles: 1 } },
};

const reviewed = (summary: string) => call({ summary, access: ['sejours'], body, reply: preview });
const imported = {
  access: ['sejours'],
  body,
  reply: z.object({
    message: z.string(),
    id: z.number(),
    ...counts,
    /** How many lines were left aside: `GET /imports/:id/laissees`. */
    laissees: z.number(),
  }),
} as const;

const kind = z.enum(Object.keys(IMPORT_KINDS) as ImportKind[]);

export const importCalls = {
  'POST /uploadSejour': call({
    summary: 'Import de séjours\u202f; un fichier fautif est refusé en 422 avec ses lignes',
    ...imported,
    // It may give a stay the password of one's choice.
    fresh: true,
  }),
  'POST /upload': call({
    summary: 'Import de familles\u202f; un fichier fautif est refusé en 422 avec ses lignes',
    ...imported,
  }),
  'POST /uploadDirecteurs': call({
    summary:
      'Import de directeurs\u202f; un fichier fautif est refusé en 422 avec ses lignes\u202f; aucun e-mail ne part',
    ...imported,
  }),
  // It says which passwords are taken.
  'POST /uploadSejour/apercu': { ...reviewed('Ce que ferait un import de séjours'), fresh: true },
  'POST /upload/apercu': reviewed('Ce que ferait un import de familles'),
  'POST /uploadDirecteurs/apercu': reviewed('Ce que ferait un import de directeurs'),
  'GET /modeles-csv/:genre': call({
    summary: 'Un modèle CSV, à remplir avec un tableur',
    access: ['sejours'],
    params: z.object({ genre: kind }),
    media: 'text/csv; charset=utf-8',
    reply: z.file(),
  }),
  'GET /modeles-excel/:genre': call({
    summary: 'Le même modèle, en classeur Excel',
    access: ['sejours'],
    params: z.object({ genre: kind }),
    ...workbook,
  }),
  'GET /imports/suivi/:cle': call({
    summary: 'Où en est un aperçu ou un import sous ce nom',
    access: ['sejours'],
    params: z.object({ cle: progressKey }),
    reply: z.object({
      etape: z.enum(['lecture', 'enregistrement']),
      /** Progress in percent. */
      avance: z.number(),
    }),
  }),
  'GET /imports/:id/laissees': call({
    summary:
      'Les lignes qu’un import a laissées de côté, avec les raisons, en classeur à corriger et à importer',
    access: ['sejours'],
    params: idParams,
    ...workbook,
  }),
  'GET /imports/dernier': call({
    summary: 'Le dernier import d’un genre, et s’il peut être annulé',
    access: ['sejours'],
    query: z.object({ genre: kind }),
    reply: z.object({
      dernier: z
        .object({
          id: z.number(),
          acteur: z.string(),
          created_at: instant,
          crees: z.number(),
          modifies: z.number(),
          /** How many lines it left aside. */
          laissees: z.number(),
          /** Why it cannot be undone; null: it can. */
          obstacle: z.string().nullable(),
        })
        .nullable(),
    }),
  }),
  'POST /imports/:id/annuler': call({
    summary: 'Annulation du dernier import, tant que rien n’a été bâti dessus',
    access: ['sejours'],
    params: idParams,
  }),
};
