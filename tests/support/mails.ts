import { CODES_SUBJECT } from '#features/mails/shared/terms.ts';
import { insertStay } from '#features/stays/server/staysStore.ts';
import type { Tables } from '#platform/server/db/tables.ts';
import { insertMailing, type NewMailing } from '#platform/server/mail/outboxStore.ts';
import type { Services } from '#platform/server/services.ts';

/** Stays whose families are written to, straight into the tables. */

type Site = Services;

/** A stay that begins soon, with the password of its families; returns its id. */
export function addStay(
  { database, secrets, clock }: Site,
  name: string,
  password?: string,
): Promise<number> {
  const from = clock();
  const to = new Date(from.getTime() + 14 * 24 * 3_600_000);
  const stay = {
    nom_stage: name,
    date_debut: from.toISOString().slice(0, 10),
    date_fin: to.toISOString().slice(0, 10),
  };
  return database.write((db) =>
    insertStay(db, secrets, stay, clock(), password === undefined ? {} : { stagiaire: password }),
  );
}

export function addFamilies(
  { database, clock }: Site,
  stageId: number,
  addresses: readonly string[],
): Promise<unknown> {
  const at = clock().toISOString();
  const rows = addresses.map((email) => ({
    stage_id: stageId,
    nom: `Famille de ${email}`,
    prenom: 'Lou',
    cle: email,
    email,
    consentement_image: 'oui' as const,
    created_at: at,
    modifie_le: at,
  }));
  return database
    .write((db) => db.insertInto('stagiaires').values(rows).execute())
    .then(() => knowAddresses({ database }));
}

/** Makes the addresses that stand in families and directors known, as they are a day after they came. */
function knowAddresses({ database }: Pick<Services, 'database'>): Promise<unknown> {
  return database.write((db) => db.updateTable('destinataires').set({ depuis: '' }).execute());
}

/** Writes a mailing of codes, one message an address of a stay; returns its id. */
export function queueCodes(
  { database, secrets, clock }: Site,
  messages: NewMailing['messages'],
  mailing: Partial<NewMailing> = {},
): Promise<number> {
  return database.write((db) =>
    insertMailing(
      db,
      secrets,
      {
        genre: 'codes',
        type: 'stagiaire',
        texts: { objet: CODES_SUBJECT, texte: '' },
        actor: { ip: '127.0.0.1' },
        messages,
        ...mailing,
      },
      clock(),
    ),
  );
}

/** How far each message is, by its address. */
export async function statesOf({
  database,
}: Services): Promise<
  Record<string, Pick<Tables['envois_messages'], 'etat' | 'erreur' | 'reponse'> & { essais: number }>
> {
  const rows = await database.db.selectFrom('envois_messages').selectAll().orderBy('id').execute();
  return Object.fromEntries(
    rows.map(({ destinataire, etat, erreur, reponse, essais }) => [
      destinataire,
      { etat, erreur, reponse, essais },
    ]),
  );
}
