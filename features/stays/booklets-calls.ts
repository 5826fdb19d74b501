import { z } from 'zod';
import { PDF_BYTES } from '#platform/shared/bytes.ts';
import { call, message } from '#platform/shared/call.ts';
import { ADMIN } from '#platform/shared/roles.ts';
import { line } from '#platform/shared/text.ts';
import { bookletName } from './shared/terms.ts';

/** What leads to other folders, or turns the direction of writing so that one name passes for another. */
const MISLEADING = /[/\\\p{Bidi_Control}]/u;

/** The name of a sent file, as that of a booklet: it stands in addresses and on screen. */
export const sentName = z
  .string()
  .transform(bookletName)
  .pipe(line(150))
  .refine((name) => !MISLEADING.test(name), {
    error: 'le nom de ce fichier contient des caractères qui ne vont pas : renommez-le.',
  })
  .refine((name) => /[\p{L}\p{N}]/u.test(name.slice(0, -'.pdf'.length)), {
    error: 'ce fichier n’a pas de nom : renommez-le.',
  });

/** A name by which a booklet is asked for; what could stand in no name is none. */
export const askedName = line(300);

/** PDF files for directors and families; each is known by its name, whatever the case. */
export const bookletCalls = {
  'GET /livrets': call({
    summary: 'Les noms des livrets, qui s’ouvrent sous /api/doc_stage_formateur/{nom}',
    access: ['admin', 'director', 'family'],
    status: 200,
    reply: z.array(z.string()),
  }),
  'POST /livrets-upload': call({
    summary: 'Envoi d’un livret\u202f; un même nom le remplace',
    access: ADMIN,
    body: {
      as: 'multipart',
      schema: z.object({}),
      files: { livret: { label: 'Livret', kind: 'pdf', maxBytes: PDF_BYTES, maxFiles: 1 } },
    },
    status: 201,
    reply: z.object({ message: z.string(), nom: z.string() }),
  }),
  'DELETE /livrets/:name': call({
    summary: 'Suppression d’un livret',
    access: ADMIN,
    params: z.object({ name: askedName }),
    status: 200,
    reply: message,
  }),
};
