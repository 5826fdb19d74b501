import { listSealedFactors, openSecret } from '#features/accounts/server/secondFactor.ts';
import { hasMeetingPassword, readMeetingPassword, WRONG_KEY } from '#features/site/server/settingsStore.ts';
import { openStayPassword } from '#features/stays/server/staysStore.ts';
import { openTexts } from '#platform/server/mail/outbox.ts';
import { PASSWORD_TYPES, type PasswordType } from '#platform/shared/roles.ts';
import { type Examined, type Finding, fine, treat } from './finding.ts';

const TYPES = Object.keys(PASSWORD_TYPES) as PasswordType[];

/** Whether the secret key opens all that is sealed. */
export async function sealed({ services: { database, secrets } }: Examined): Promise<Finding> {
  const { db } = database;
  const stays = await db
    .selectFrom('stages')
    .select(['id', 'mdp_formateur', 'mdp_stagiaire'])
    .where('mdp_formateur', '!=', '')
    .execute();
  const mailings = await db
    .selectFrom('envois')
    .select(['cle', 'contenu'])
    .where('contenu', '!=', '')
    .execute();
  const closed = {
    minutes: (await hasMeetingPassword(db)) && !(await opens(() => readMeetingPassword(db, secrets))) ? 1 : 0,
    stays: 0,
    mailings: 0,
    factors: 0,
  };
  for (const stay of stays) {
    const isOpen = await opens(() => TYPES.map((type) => openStayPassword(secrets, stay, type)));
    if (!isOpen) closed.stays++;
  }
  for (const mailing of mailings) if (!(await opens(() => openTexts(secrets, mailing)))) closed.mailings++;
  for (const factor of await listSealedFactors(db))
    if (!(await opens(() => openSecret(secrets, factor)))) closed.factors++;
  const count = closed.minutes + closed.stays + closed.mailings + closed.factors;
  if (count === 0) return fine('Clé secrète\u202f: elle ouvre tout ce qui est scellé.');
  return treat(
    `${WRONG_KEY} Elle n’ouvre pas\u202f: mot de passe des comptes rendus ${closed.minutes}, séjours ${closed.stays}, envois ${closed.mailings}, secondes étapes ${closed.factors}.`,
  );
}

async function opens(open: () => unknown): Promise<boolean> {
  try {
    await open();
    return true;
  } catch {
    return false;
  }
}
