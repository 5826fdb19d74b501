import {
  changeKey,
  changeKeyOfFolder,
  forgetKey,
  openSiteDatabase,
  type SiteDatabase,
} from '#app/server/siteDatabase.ts';
import {
  type AdminRow,
  findAdminByName,
  insertAdmin,
  listAdmins,
  shutElsewhere,
  updateAdmin,
  writeFactorBefore,
} from '#features/accounts/server/adminsStore.ts';
import { hashPassword } from '#features/accounts/server/passwords.ts';
import { deadlineAt, deleteFactors } from '#features/accounts/server/secondFactor.ts';
import { journal } from '#features/audit/server/journal.ts';
import { WATCHED } from '#features/audit/shared/journal.ts';
import { OPERATOR } from '#platform/server/actor.ts';
import { type Config, ConfigError, readConfig } from '#platform/server/config.ts';
import type { Database } from '#platform/server/db/database.ts';
import { lockDirectory } from '#platform/server/db/directory.ts';
import { HttpError } from '#platform/server/errors.ts';
import { generatePassword, makeSecrets } from '#platform/server/secrets.ts';
import { username } from '#platform/shared/text.ts';
import { runCommand } from './command.ts';

/* Manages admins from the command line, for a person who has the machine but not the password. */

const USAGE = `Usage :
  passerelle admin list                       les administrateurs
  passerelle admin create NOM                 un nouvel administrateur, avec un mot de passe généré
  passerelle admin reset NOM                  un nouveau mot de passe généré ; ses connexions en cours se terminent
  passerelle admin sans-second-facteur NOM    sa connexion ne demande plus ni code ni clé d’accès, s’il a perdu son téléphone
  passerelle admin change-key                 une nouvelle clé secrète pour un site arrêté ; rien n’est oublié
  passerelle admin forget-key                 la clé secrète est perdue : oublie ce qu’elle seule ouvrait`;

async function list({ database: { db } }: SiteDatabase): Promise<string> {
  const admins = await listAdmins(db);
  const lines = admins.map(
    (admin) => `${admin.username}\t${admin.vu_le ? `vu le ${admin.vu_le}` : 'jamais connecté'}`,
  );
  return lines.length > 0
    ? lines.join('\n')
    : 'Aucun administrateur\u202f: le premier est créé au démarrage du site.';
}

async function create({ database }: SiteDatabase, name: string, config: Config): Promise<string> {
  const password = generatePassword();
  const hash = await hashPassword(password);
  await database.write(async (transaction) => {
    const factorBefore = await deadlineAt(transaction, config, new Date());
    const { id } = await insertAdmin(transaction, name, hash, new Date(), { factorBefore });
    await journal(transaction, OPERATOR, new Date(), WATCHED.newAdmin, { table: 'admins', id });
  });
  return `Administrateur «\u00a0${name}\u00a0» créé. Mot de passe, affiché cette seule fois\u202f: ${password}`;
}

async function getByName({ db }: Database, name: string): Promise<AdminRow> {
  const admin = await findAdminByName(db, name);
  if (!admin) throw new HttpError(404, `Aucun administrateur ne s’appelle «\u00a0${name}\u00a0».`);
  return admin;
}

async function reset({ database }: SiteDatabase, name: string): Promise<string> {
  const admin = await getByName(database, name);
  const password = generatePassword();
  const passwordHash = await hashPassword(password);
  await database.write(async (transaction) => {
    await updateAdmin(transaction, admin.id, { passwordHash });
    await journal(transaction, OPERATOR, new Date(), 'nouveau mot de passe d’un administrateur', {
      table: 'admins',
      id: admin.id,
    });
  });
  return `Nouveau mot de passe de «\u00a0${admin.username}\u00a0», affiché cette seule fois\u202f: ${password}`;
}

async function withoutSecondFactor(
  { database }: SiteDatabase,
  name: string,
  config: Config,
): Promise<string> {
  const { id, username } = await getByName(database, name);
  const wasThere = await database.write(async (transaction) => {
    const now = new Date();
    const wasThere = await deleteFactors(transaction, id);
    // Where one is compulsory, whoever let the seven days pass has them once more.
    await writeFactorBefore(transaction, id, await deadlineAt(transaction, config, now));
    if (wasThere) {
      await shutElsewhere(transaction, id);
      const action = 'retrait de la connexion en deux étapes et des clés d’accès';
      await journal(transaction, OPERATOR, now, action, { table: 'admins', id });
    }
    return wasThere;
  });
  return wasThere
    ? `«\u00a0${username}\u00a0» se connecte avec son seul mot de passe. Si le téléphone a été volé, donnez-lui aussi un nouveau mot de passe.`
    : `«\u00a0${username}\u00a0» se connecte déjà avec son seul mot de passe.`;
}

async function forgetKeyOfSite(opened: SiteDatabase): Promise<string> {
  await forgetKey(opened);
  return 'C’est oublié\u202f: au prochain démarrage, les comptes rendus et les séjours auront de nouveaux mots de passe, lisibles dans le portail. Plus aucun compte ne demande de code.';
}

async function changeKeyOfSite(opened: SiteDatabase, _name: string, config: Config): Promise<string> {
  const { SECRET_KEY: present, NEW_SECRET_KEY: given, DATA_DIR: directory } = config;
  const now = new Date();
  if (present === undefined) {
    if (given !== undefined)
      throw new ConfigError('NEW_SECRET_KEY ne sert qu’avec SECRET_KEY\u202f: ici, secret.key est remplacé.');
    const former = await changeKeyOfFolder(opened, directory, now);
    return `La clé a changé\u202f: secret.key est la nouvelle, ${former} l’ancienne. ${FORMER_KEY}`;
  }
  if (given === undefined || given === present) {
    throw new ConfigError(
      'NEW_SECRET_KEY\u202f: donnez la nouvelle clé, 32 caractères au moins, tirés au hasard («\u00a0openssl rand -base64 48\u00a0»).',
    );
  }
  await changeKey(opened, makeSecrets(given), now);
  return `La clé a changé\u202f: démarrez tous les processus avec la nouvelle dans SECRET_KEY. ${FORMER_KEY}`;
}

const FORMER_KEY =
  'Les sauvegardes faites jusqu’ici ne s’ouvrent qu’avec l’ancienne\u202f: gardez-la ailleurs, aussi longtemps qu’elles.';

const WORKS = new Map([
  ['list', { work: list, isNamed: false }],
  ['create', { work: create, isNamed: true }],
  ['reset', { work: reset, isNamed: true }],
  ['sans-second-facteur', { work: withoutSecondFactor, isNamed: true }],
  ['change-key', { work: changeKeyOfSite, isNamed: false }],
  ['forget-key', { work: forgetKeyOfSite, isNamed: false }],
]);

await runCommand(async ([action = '', given = '']) => {
  const { work, isNamed } = WORKS.get(action) ?? {};
  const name = username.safeParse(given);
  if (!work || (isNamed && !name.success)) throw new ConfigError(USAGE);
  const config = readConfig();
  // The site must be stopped: a running one would go on sealing with the key that it was started with.
  const unlock = work === changeKeyOfSite ? lockDirectory(config.DATA_DIR) : () => {};
  try {
    const opened = await openSiteDatabase(config, { isKeyLost: work === forgetKeyOfSite });
    try {
      return await work(opened, name.data ?? '', config);
    } finally {
      await opened.database.close();
    }
  } finally {
    unlock();
  }
});
