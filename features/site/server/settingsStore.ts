import type { Config } from '#platform/server/config.ts';
import type { Access, Database } from '#platform/server/db/database.ts';
import {
  countClosed,
  generatePassword,
  OpenedPassword,
  otherKey,
  type Sealed,
  type Secrets,
} from '#platform/server/secrets.ts';
import { endSessions } from '#platform/server/sessionsStore.ts';
import { HOUR_MS } from '#platform/shared/time.ts';
import type { Settings } from '../calls.ts';

/*
 * The settings that staff can change in the portal. The environment gives most their first value; a saved value
 * overrides it. Settings are read at each use, so that a change applies at once in every process.
 */

/** The bytes of the logo, in base64: too many to be read with the rest. */
export const LOGO_IMAGE = 'logo_image';
export const MEETING_PASSWORD = 'comptes_rendus_mot_de_passe';
/** There while the password of the meeting reports is one that the site made up and nobody has read. */
const UNREAD_PASSWORD = 'comptes_rendus_a_ouvrir';
/** See `readEvening`. */
export const EVENING = 'soir';
/** See `findHandedOver`. */
const HANDED_OVER = 'cle_empreintes';

/** Time, in ms, after which a portal that nobody uses asks for the password, until staff choose another. */
const IDLE_MS = 2 * HOUR_MS;

function firstValues(config: Config): Settings {
  return {
    organisation_nom: config.ORGANISATION_NAME,
    organisation_adresse: config.ORGANISATION_ADDRESS,
    organisation_telephone: config.ORGANISATION_PHONE,
    organisation_email: config.ORGANISATION_EMAIL ?? '',
    organisation_siren: config.ORGANISATION_SIREN,
    organisation_rna: config.ORGANISATION_RNA,
    directeur_publication: config.PUBLICATION_DIRECTOR,
    hebergeur_nom: config.HOSTING_NAME,
    hebergeur_adresse: config.HOSTING_ADDRESS,
    hebergeur_telephone: config.HOSTING_PHONE,
    contact_donnees: config.DATA_PROTECTION_CONTACT,
    contact_email: config.CONTACT_EMAIL ?? '',
    offres_emploi_url: config.JOB_OFFERS_URL ?? '',
    // No variable: the larger size has the tasks of the smaller one too.
    effectif: '50_et_plus',
    // No variable: what the site has always answered.
    sejours_visiteurs: 'noms_et_dates',
    // No variable: the password that all families share is handed on.
    sejours_lieu: 'liens',
    photos_conservation_jours: config.PHOTO_RETENTION_DAYS,
    // No variable: children are in bed, and parents still up.
    message_soir_heure: '20:30',
    // No variable: staff change it once they know how they work.
    portail_inactivite_heures: IDLE_MS / HOUR_MS,
    // No variable: staff decide it once they have accounts.
    second_facteur: 'au_choix',
    logo: '',
  };
}

export async function readSettings(db: Access, config: Config): Promise<Settings> {
  const rows = await db
    .selectFrom('reglages')
    .select(['cle', 'valeur'])
    .where('cle', 'not in', [MEETING_PASSWORD, LOGO_IMAGE])
    .execute();
  const settings = firstValues(config);
  for (const { cle, valeur } of rows) {
    if (!(cle in settings)) continue;
    const isNumber = typeof settings[cle as keyof Settings] === 'number';
    Object.assign(settings, { [cle]: isNumber ? Number(valeur) : valeur });
  }
  return settings;
}

/** Who is told of what happens to the site: the addresses of `ALERT_EMAIL`, else the organisation's own. */
export async function alertAddresses({ config }: { config: Config }, db: Access): Promise<string[]> {
  if (config.ALERT_EMAIL) return config.ALERT_EMAIL;
  const { organisation_email } = await readSettings(db, config);
  return organisation_email === '' ? [] : [organisation_email];
}

/** Makes other savings wait until the end of the transaction: the password, which every site has, stands for all. */
export async function holdSettings({ rowLock }: Database, transaction: Access): Promise<void> {
  await transaction
    .selectFrom('reglages')
    .select('cle')
    .where('cle', '=', MEETING_PASSWORD)
    .modifyEnd(rowLock)
    .execute();
}

/** Gives settings back the values of the environment. */
export async function deleteSettings(db: Access, names: readonly string[]): Promise<void> {
  if (names.length > 0) await db.deleteFrom('reglages').where('cle', 'in', names).execute();
}

export async function writeSetting(db: Access, cle: string, valeur: string, now: Date): Promise<void> {
  const values = { valeur, modifie_le: now.toISOString() };
  await db
    .insertInto('reglages')
    .values({ cle, ...values })
    .onConflict((clash) => clash.column('cle').doUpdateSet(values))
    .execute();
}

async function findSetting(db: Access, cle: string): Promise<string | undefined> {
  const row = await db.selectFrom('reglages').select('valeur').where('cle', '=', cle).executeTakeFirst();
  return row?.valeur;
}

/** The logo as a WebP; undefined where the drawn mark stands. */
export async function readLogo(db: Access): Promise<Buffer | undefined> {
  const text = await findSetting(db, LOGO_IMAGE);
  return text === undefined ? undefined : Buffer.from(text, 'base64');
}

/** The last day on which families were told what is new; '' when they never were. */
export const readEvening = async (db: Access): Promise<string> => (await findSetting(db, EVENING)) ?? '';

export async function writeMeetingPassword(
  db: Access,
  secrets: Secrets,
  password: string,
  now: Date,
): Promise<void> {
  await writeSetting(db, MEETING_PASSWORD, secrets.seal(password, `reglages:${MEETING_PASSWORD}`), now);
}

/** The password of the meeting reports; throws before `ensureMeetingPassword` has run, which happens at the start. */
export async function readMeetingPassword(db: Access, secrets: Secrets): Promise<OpenedPassword> {
  const sealed = await findSetting(db, MEETING_PASSWORD);
  if (sealed === undefined) throw new Error('The site has no password of the meeting reports yet');
  return new OpenedPassword(secrets.open(sealed, `reglages:${MEETING_PASSWORD}`));
}

/** True when a password is stored already, which the site's key must be able to open. */
export function hasMeetingPassword(db: Access): Promise<boolean> {
  return isStored(db, MEETING_PASSWORD);
}

export async function isStored(db: Access, cle: string): Promise<boolean> {
  const row = await db.selectFrom('reglages').select('cle').where('cle', '=', cle).executeTakeFirst();
  return row !== undefined;
}

/** Whether somebody can know the password of the meeting reports: it was chosen, or read in the portal. */
export async function isMeetingPasswordKnown(db: Access): Promise<boolean> {
  return !(await isStored(db, UNREAD_PASSWORD));
}

/** Notes that staff have read or chosen the password of the meeting reports. */
export async function noteMeetingPasswordKnown(transaction: Access): Promise<void> {
  await transaction.deleteFrom('reglages').where('cle', '=', UNREAD_PASSWORD).execute();
}

/**
 * Stores a first password for the meeting reports unless there is one; staff read it in the portal. Throws
 * `ConfigError` when the site's key does not open the stored one: going on would seal data with two keys.
 */
export async function ensureMeetingPassword(
  db: Access,
  secrets: Secrets,
  config: Config,
  now: Date,
): Promise<void> {
  const first = config.MEETING_REPORTS_PASSWORD ?? generatePassword();
  const { numInsertedOrUpdatedRows: stored } = await db
    .insertInto('reglages')
    .values({
      cle: MEETING_PASSWORD,
      valeur: secrets.seal(first, `reglages:${MEETING_PASSWORD}`),
      modifie_le: now.toISOString(),
    })
    .onConflict((clash) => clash.column('cle').doNothing())
    .executeTakeFirstOrThrow();
  if (stored === 1n && config.MEETING_REPORTS_PASSWORD === undefined) {
    await writeSetting(db, UNREAD_PASSWORD, '1', now);
  }
  await requireSecretKey(db, secrets);
}

/** Throws `ConfigError` when the key is not the one that this site's data were sealed with. */
export async function requireSecretKey(db: Access, secrets: Secrets): Promise<void> {
  try {
    await readMeetingPassword(db, secrets);
  } catch (error) {
    throw otherKey(error);
  }
}

const RESTORED = 'restauration';

/** Stores in a restored database what the journal has to record: only a site that opens has the key to chain a line. */
export async function noteRestoration(db: Access, action: string, now: Date): Promise<void> {
  await writeSetting(db, RESTORED, action, now);
}

/** Returns and removes what `noteRestoration` stored. */
export async function takeRestoration(db: Access): Promise<string | undefined> {
  const row = await db
    .deleteFrom('reglages')
    .where('cle', '=', RESTORED)
    .returning('valeur')
    .executeTakeFirst();
  return row?.valeur;
}

/** The sealed hashing key left by the previous secret key; undefined while the first secret key is in use. */
export const findHandedOver = (db: Access) => findSetting(db, HANDED_OVER);

export const sealedSettings: Sealed = {
  label: 'mot de passe des comptes rendus',
  place: 1,
  async countClosed(db, secrets) {
    const there = (await hasMeetingPassword(db)) ? [db] : [];
    return countClosed(there, () => readMeetingPassword(db, secrets));
  },
  /** Also stores the sealed hashing key for `findHandedOver`. */
  async reseal(transaction, secrets, next, now) {
    const { unseen } = await readMeetingPassword(transaction, secrets);
    await writeMeetingPassword(transaction, next, unseen, now);
    await writeSetting(transaction, HANDED_OVER, secrets.handOver(next), now);
  },
  /** The next start stores a first password again. */
  async forget(transaction) {
    await transaction.deleteFrom('reglages').where('cle', 'in', [MEETING_PASSWORD, HANDED_OVER]).execute();
    await endSessions(transaction, { role: 'reader' });
  },
};
