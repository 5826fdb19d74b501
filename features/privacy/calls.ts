import { z } from 'zod';
import { mailAddress } from '#features/stays/shared/fields.ts';
import { call, idParams, json, printed } from '#platform/shared/call.ts';
import { EVERY_RIGHT } from '#platform/shared/roles.ts';
import { line } from '#platform/shared/text.ts';

/* Export and erasure of all that the site knows of one e-mail address. */

const found = z.object({
  /** `familles`, `directeurs`, `employes`, `contact`, `envois`… */
  genre: z.string(),
  nombre: z.number(),
  /** What an erasure does there, as a sentence. */
  texte: z.string(),
});

/** What is handed to who asked for an erasure. */
const proof = z.object({
  id: z.number(),
  titre: z.string(),
  parties: z.array(z.object({ titre: z.string(), lignes: z.array(z.string()) })),
});
export type Proof = z.infer<typeof proof>;

export const personalCalls = {
  // The address is sent in the body, because URLs end up in the logs of any proxy in front of the site.
  'POST /rgpd': call({
    summary: 'Ce que le site sait d’une adresse e-mail, en bref',
    access: EVERY_RIGHT,
    onFullDisk: true,
    body: json(z.object({ email: mailAddress })),
    reply: z.object({ email: z.string(), trouve: z.array(found), preuves: z.array(proof) }),
  }),
  'GET /rgpd/export': call({
    summary: 'Tout ce que le site sait d’une adresse e-mail (JSON à télécharger)',
    access: EVERY_RIGHT,
    query: z.object({ email: mailAddress }),
    media: 'application/json; charset=utf-8',
    reply: z.file(),
  }),
  'GET /rgpd/document': call({
    summary: 'Tout ce que le site sait d’une adresse e-mail, en français courant (PDF)',
    access: EVERY_RIGHT,
    query: z.object({ email: mailAddress }),
    ...printed,
  }),
  'POST /rgpd/effacer': call({
    summary: 'Effacement définitif de tout ce que le site sait d’une adresse e-mail',
    access: EVERY_RIGHT,
    onFullDisk: true,
    body: json(
      z.object({
        email: mailAddress,
        /** The address again, typed as a confirmation. */
        confirmation: line(254).meta({ title: 'Confirmation' }),
      }),
    ),
    reply: z.object({ message: z.string(), efface: z.array(found) }),
  }),
  'GET /rgpd/preuves/:id': call({
    summary: 'Une preuve d’effacement',
    access: EVERY_RIGHT,
    params: idParams,
    reply: proof,
  }),
  'GET /rgpd/preuves/:id/document': call({
    summary: 'Une preuve d’effacement, à remettre (PDF)',
    access: EVERY_RIGHT,
    params: idParams,
    ...printed,
  }),
};
