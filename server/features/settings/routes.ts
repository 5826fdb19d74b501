import type { CallKey } from '../../../shared/api.ts';
import type { Settings } from '../../../shared/settings.ts';
import type { Handlers } from '../../http/serve.ts';
import { endSessions } from '../../http/sessions.ts';
import { journal } from '../../journal.ts';
import type { Services } from '../../services.ts';
import {
  MEETING_PASSWORD,
  readMeetingPassword,
  readSettings,
  writeMeetingPassword,
  writeSetting,
} from '../../settings.ts';

type SettingsKeys = Extract<CallKey, `${string} /reglages`>;

export function settingsHandlers(services: Services): Pick<Handlers, SettingsKeys> {
  const { database, config, secrets, clock } = services;

  async function all(): Promise<Settings> {
    return {
      ...(await readSettings(database.db, config)),
      [MEETING_PASSWORD]: await readMeetingPassword(database.db, secrets),
    };
  }

  return {
    'GET /reglages': async (context) => {
      const settings = await all();
      await journal(database.db, context, clock(), 'lecture du mot de passe des comptes rendus');
      return settings;
    },
    'PUT /reglages': async ({ body, ...context }) => {
      const { [MEETING_PASSWORD]: password, ...plain } = body;
      await database.write(async (transaction) => {
        for (const [name, value] of Object.entries(plain)) {
          if (value !== undefined) await writeSetting(transaction, name, String(value), clock());
        }
        await journal(transaction, context, clock(), 'modification des réglages');
        if (password === undefined || password === (await readMeetingPassword(transaction, secrets))) return;
        await writeMeetingPassword(transaction, secrets, password, clock());
        // Whoever was let in by the old password is let in no longer.
        await endSessions(transaction, { role: 'reader' });
        await journal(transaction, context, clock(), 'changement du mot de passe des comptes rendus');
      });
      return { message: 'Réglages enregistrés', ...(await all()) };
    },
  };
}
