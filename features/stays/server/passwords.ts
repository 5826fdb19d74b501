import { journal } from '#features/audit/server/journal.ts';
import { type Handlers, MadeFile } from '#platform/server/http/serve.ts';
import { endSessions } from '#platform/server/http/sessions.ts';
import { generatePassword, type Secrets } from '#platform/server/secrets.ts';
import type { Services } from '#platform/server/services.ts';
import { type Sheet, titles } from '#platform/server/sheets/sheets.ts';
import type { CallKey } from '#platform/shared/call.ts';
import { PASSWORD_TYPES, type PasswordType } from '#platform/shared/roles.ts';
import { requirePasswords } from './endedStays.ts';
import {
  getStay,
  getStayToChange,
  hasPasswords,
  listStays,
  openStayPassword,
  PASSWORD_ROLES,
  raiseVersion,
  type Stay,
  writeStayPasswords,
} from './staysStore.ts';

type PasswordKeys = Extract<
  CallKey,
  `${string} /stage-passwords/${string}` | `${string} /download-passwords`
>;

/** The passwords of the stays: each reading of them leaves a line in the journal. */
export function stayPasswordHandlers(services: Services): Pick<Handlers, PasswordKeys> {
  const { database, secrets, sheets, clock } = services;
  return {
    'GET /stage-passwords/:id': async ({ params: { id }, ...context }) => {
      const stay = await database.write(async (transaction) => {
        const found = await getStay(transaction, id);
        await journal(transaction, context, clock(), 'lecture des mots de passe', { table: 'stages', id });
        return found;
      });
      if (!hasPasswords(stay)) return [];
      return [
        {
          mdp_formateur: openStayPassword(secrets, stay, 'formateur'),
          mdp_stagiaire: openStayPassword(secrets, stay, 'stagiaire'),
        },
      ];
    },
    'POST /stage-passwords/:id/regenerer': async ({ params: { id }, body: { type }, ...context }) => {
      const password = generatePassword();
      await database.write(async (transaction) => {
        requirePasswords(await getStayToChange(database, transaction, id));
        await writeStayPasswords(transaction, secrets, id, { [type]: password });
        // The undo of an import must not bring the old one back.
        await raiseVersion(transaction, id, clock());
        // Whoever was let in by the old one is let in no longer.
        await endSessions(transaction, { stageId: id, role: PASSWORD_ROLES[type] });
        const action = `nouveau mot de passe «\u00a0${PASSWORD_TYPES[type]}\u00a0»`;
        await journal(transaction, context, clock(), action, { table: 'stages', id });
      });
      return { message: 'Nouveau mot de passe enregistré', mot_de_passe: password };
    },
    'GET /download-passwords': async (context) => {
      const stays = await database.write(async (transaction) => {
        await journal(transaction, context, clock(), 'téléchargement des mots de passe de tous les séjours');
        return listStays(transaction);
      });
      return new MadeFile(await sheets.write([passwordSheet(stays, secrets)]), 'mot_de_passe.xlsx');
    },
  };
}

const COLUMNS = [
  { title: 'Numéro', width: 10 },
  { title: 'Séjour', width: 42 },
  { title: 'Date de début', width: 15 },
  { title: 'Date de fin', width: 15 },
  { title: PASSWORD_TYPES.formateur, width: 20 },
  { title: PASSWORD_TYPES.stagiaire, width: 20 },
];

function passwordSheet(stays: readonly Stay[], secrets: Secrets): Sheet {
  const password = (stay: Stay, type: PasswordType) =>
    hasPasswords(stay) ? openStayPassword(secrets, stay, type) : 'effacé';
  return {
    name: 'Mots de passe',
    widths: COLUMNS.map(({ width }) => width),
    rows: [
      titles(...COLUMNS.map(({ title }) => title)),
      ...stays.map((stay) => [
        stay.id,
        stay.nom_stage,
        new Date(stay.date_debut),
        new Date(stay.date_fin),
        password(stay, 'formateur'),
        password(stay, 'stagiaire'),
      ]),
    ],
  };
}
