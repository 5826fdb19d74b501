import writeWorkbook, { type Row } from 'write-excel-file/node';
import type { CallKey } from '../../../shared/api.ts';
import { PASSWORD_TYPES } from '../../../shared/stays/terms.ts';
import { type Handlers, MadeFile } from '../../http/serve.ts';
import { endSessions } from '../../http/sessions.ts';
import { journal } from '../../journal.ts';
import { generatePassword, type Secrets } from '../../secrets.ts';
import type { Services } from '../../services.ts';
import {
  getStay,
  getStayToChange,
  openStayPassword,
  PASSWORD_ROLES,
  raiseVersion,
  type Stay,
  writeStayPasswords,
} from '../../stays.ts';
import { listStays } from './store.ts';

type PasswordKeys = Extract<
  CallKey,
  `${string} /stage-passwords/${string}` | `${string} /download-passwords`
>;

/** The passwords of the stays: each reading of them leaves a line in the journal. */
export function stayPasswordHandlers(services: Services): Pick<Handlers, PasswordKeys> {
  const { database, secrets, clock } = services;
  return {
    'GET /stage-passwords/:id': async ({ params: { id }, ...context }) => {
      const stay = await database.write(async (transaction) => {
        const found = await getStay(transaction, id);
        await journal(transaction, context, clock(), 'lecture des mots de passe', { table: 'stages', id });
        return found;
      });
      if (stay.mdp_formateur === '') return [];
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
        await getStayToChange(database, transaction, id);
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
      return new MadeFile(await workbookOf(stays, secrets), 'mot_de_passe.xlsx');
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

function workbookOf(stays: readonly Stay[], secrets: Secrets): Promise<Buffer> {
  const day = (text: string) => ({ type: Date, value: new Date(text), format: 'dd/mm/yyyy' });
  // Typed: whatever somebody called a stay, a spreadsheet computes nothing from it.
  const text = (value: string) => ({ type: String, value });
  const rows: Row[] = [
    COLUMNS.map(({ title }) => ({ type: String, value: title, fontWeight: 'bold' })),
    ...stays.map((stay) => [
      { type: Number, value: stay.id },
      text(stay.nom_stage),
      day(stay.date_debut),
      day(stay.date_fin),
      text(openStayPassword(secrets, stay, 'formateur')),
      text(openStayPassword(secrets, stay, 'stagiaire')),
    ]),
  ];
  const columns = COLUMNS.map(({ width }) => ({ width }));
  return writeWorkbook(rows, { sheet: 'Mots de passe', columns, stickyRowsCount: 1 }).toBuffer();
}
