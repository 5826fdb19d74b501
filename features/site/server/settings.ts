import { journal } from '#features/audit/server/journal.ts';
import type { Actor } from '#platform/server/actor.ts';
import type { Access } from '#platform/server/db/database.ts';
import { invalid } from '#platform/server/errors.ts';
import type { HandlersOf } from '#platform/server/http/serve.ts';
import { addressKey } from '#platform/server/mail/transport.ts';
import type { KeptPlace } from '#platform/server/personalData.ts';
import type { Services } from '#platform/server/services.ts';
import { endSessions } from '#platform/server/sessionsStore.ts';
import { openPasswordRule } from '#platform/server/weakPasswords.ts';
import type { Settings, settingsCalls } from '../calls.ts';
import { logoHandlers } from './logo.ts';
import {
  holdSettings,
  MEETING_PASSWORD,
  noteMeetingPasswordKnown,
  readMeetingPassword,
  readSettings,
  writeMeetingPassword,
  writeSetting,
} from './settingsStore.ts';

/** Callback of another feature when staff change settings, run in the transaction of the change. */
export type SettingsFollower = (transaction: Access, changed: Partial<Settings>) => Promise<void>;

/**
 * Saves settings in a transaction, with what follows a change of them. Other savings wait for its end from `holdSettings`
 * on, which whoever reads settings first to decide what to save calls before.
 */
export async function saveSettings(
  services: Services,
  transaction: Access,
  followers: readonly SettingsFollower[],
  settings: Partial<Settings>,
  actor: Actor,
): Promise<void> {
  const { database, clock } = services;
  await holdSettings(database, transaction);
  for (const [name, value] of Object.entries(settings)) {
    if (value !== undefined) await writeSetting(transaction, name, String(value), clock());
  }
  for (const follow of followers) await follow(transaction, settings);
  await journal(transaction, actor, clock(), 'modification des réglages');
}

export function settingsHandlers(
  services: Services,
  followers: readonly SettingsFollower[],
): HandlersOf<typeof settingsCalls> {
  const { database, config, secrets, clock } = services;

  return {
    ...logoHandlers(services),
    'GET /identite': () => readSettings(database.db, config),
    'GET /reglages': async ({ query, ...context }) => {
      const settings = await readSettings(database.db, config);
      if (query.mot_de_passe === 'non') return settings;
      const password = (await readMeetingPassword(database.db, secrets)).shownTo(context.session, clock());
      await database.write(async (transaction) => {
        await noteMeetingPasswordKnown(transaction);
        await journal(transaction, context, clock(), 'lecture du mot de passe des comptes rendus');
      });
      return { ...settings, [MEETING_PASSWORD]: password };
    },
    'PUT /reglages': async ({ body, ...context }) => {
      const { [MEETING_PASSWORD]: password, ...plain } = body;
      await database.write(async (transaction) => {
        await saveSettings(services, transaction, followers, plain, context);
        if (password !== undefined) await noteMeetingPasswordKnown(transaction);
        if (password === undefined || password === (await readMeetingPassword(transaction, secrets)).unseen)
          return;
        const { organisation_nom } = await readSettings(transaction, config);
        const weak = (await openPasswordRule())(password, [organisation_nom]);
        if (weak)
          throw invalid(
            { [MEETING_PASSWORD]: weak },
            { [MEETING_PASSWORD]: 'Mot de passe des comptes rendus' },
          );
        await writeMeetingPassword(transaction, secrets, password, clock());
        // Sessions opened with the old password end.
        await endSessions(transaction, { role: 'reader' });
        await journal(transaction, context, clock(), 'changement du mot de passe des comptes rendus');
      });
      // Without the password, as each reading of it must leave a line in the journal.
      return { message: 'Réglages enregistrés', ...(await readSettings(database.db, config)) };
    },
  };
}

export function settingsPlace({ config }: Services): KeptPlace {
  return {
    genre: 'reglages',
    list: async (db, key) =>
      Object.entries(await readSettings(db, config))
        .filter(([, value]) => addressKey(String(value)) === key)
        .map(([reglage, valeur]) => ({ reglage, valeur })),
    text: () => 'Une adresse de l’organisation\u202f: elle reste, et se change dans «\u00a0Réglages\u00a0».',
  };
}
