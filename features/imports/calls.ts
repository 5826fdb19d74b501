import { z } from 'zod';
import { IMPORT_KINDS, type ImportKind } from '#features/stays/shared/terms.ts';
import { TABLE_BYTES } from '#platform/shared/bytes.ts';
import { call, idParams, instant, message } from '#platform/shared/call.ts';
import { ADMIN } from '#platform/shared/roles.ts';

/*
 * Stays and families from a spreadsheet, in two steps: a preview, which stores nothing, then the import, all or
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

const counts = { creer: z.number(), modifier: z.number(), inchangees: z.number() };

const preview = z.object({
  ...counts,
  /** Lines with data, faulty ones included. */
  lignes: z.number(),
  /** How many lines are faulty. */
  erreurs: z.number(),
  /** Wire names of the columns found in the file, in a fixed order, not that of the file. */
  colonnes: z.array(z.string()),
  /** Headers that name no known column, as they stand in the file. */
  ignorees: z.array(z.string()),
  /** The first faulty lines, each with its reasons. */
  fautes: z.array(importedLine.extend({ raisons: z.array(reason.omit({ ligne: true })) })),
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
    /** JSON of the corrected lines: `[{ligne, cellules}]`, cells in the order of `colonnes`. */
    corrections: z.string().optional(),
    /** Name made up by the browser, by which it asks for the progress. */
    suivi: progressKey.optional(),
  }),
  files: { file: { label: 'Fichier', kind: 'table' as const, maxBytes: TABLE_BYTES, maxFiles: 1 } },
};

const reviewed = (summary: string) => call({ summary, access: ADMIN, body, status: 200, reply: preview });
const imported = (summary: string) =>
  call({
    summary,
    access: ADMIN,
    body,
    status: 200,
    reply: z.object({ message: z.string(), id: z.number(), ...counts }),
  });

const kind = z.enum(Object.keys(IMPORT_KINDS) as ImportKind[]);

export const importCalls = {
  'POST /uploadSejour': imported(
    'Import de séjours\u202f; un fichier fautif est refusé en 422 avec ses lignes',
  ),
  'POST /upload': imported('Import de familles\u202f; un fichier fautif est refusé en 422 avec ses lignes'),
  'POST /uploadSejour/apercu': reviewed('Ce que ferait un import de séjours'),
  'POST /upload/apercu': reviewed('Ce que ferait un import de familles'),
  'GET /modeles-csv/:genre': call({
    summary: 'Un fichier modèle, à remplir avec un tableur',
    access: ADMIN,
    params: z.object({ genre: kind }),
    status: 200,
    media: 'text/csv; charset=utf-8',
    reply: z.file(),
  }),
  'GET /imports/suivi/:cle': call({
    summary: 'Où en est un aperçu ou un import sous ce nom',
    access: ADMIN,
    params: z.object({ cle: progressKey }),
    status: 200,
    reply: z.object({
      etape: z.enum(['lecture', 'enregistrement']),
      /** Progress in percent. */
      avance: z.number(),
    }),
  }),
  'GET /imports/dernier': call({
    summary: 'Le dernier import d’un genre, et s’il peut être annulé',
    access: ADMIN,
    query: z.object({ genre: kind }),
    status: 200,
    reply: z.object({
      dernier: z
        .object({
          id: z.number(),
          acteur: z.string(),
          created_at: instant,
          crees: z.number(),
          modifies: z.number(),
          /** Why it cannot be undone; null: it can. */
          obstacle: z.string().nullable(),
        })
        .nullable(),
    }),
  }),
  'POST /imports/:id/annuler': call({
    summary: 'Annulation du dernier import, tant que rien n’a été bâti dessus',
    access: ADMIN,
    params: idParams,
    status: 200,
    reply: message,
  }),
};
