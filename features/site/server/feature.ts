import { journal } from '#features/audit/server/journal.ts';
import type { Feature } from '#features/feature.ts';
import { OPERATOR } from '#platform/server/actor.ts';
import { whenTrusted } from '#platform/server/clockStore.ts';
import { DAY_MS, HOUR_MS } from '#platform/shared/time.ts';
import { contactHandlers, forgetOldMessages } from './contact.ts';
import { type PublicSource, searchHandlers } from './search.ts';
import { type SettingsFollower, settingsHandlers, settingsPlace } from './settings.ts';
import { ensureMeetingPassword, sealedSettings, takeRestoration } from './settingsStore.ts';
import { contactPlace, listSenders } from './store.ts';
import { siteTables } from './tables.ts';
import { audienceHandlers, forgetOldDays, openViews } from './visits.ts';

declare module '#features/feature.ts' {
  interface Brought {
    /** What visitors find by a few letters. */
    publicSearch: PublicSource;
    settingsChanged: SettingsFollower;
  }
}

export const site = {
  tables: siteTables,
  sealed: sealedSettings,
  async requireKey(transaction, { secrets, config, now }) {
    await ensureMeetingPassword(transaction, secrets, config, now);
    const restored = await takeRestoration(transaction);
    if (restored !== undefined) await journal(transaction, OPERATOR, now, restored);
  },
  open(services, product, app) {
    const views = openViews(services);
    // Runs after the last request, before the database closes.
    app.addHook('onClose', () => views.stop());
    return {
      handlers: {
        ...settingsHandlers(services, product.all('settingsChanged', services)),
        ...contactHandlers(services),
        ...audienceHandlers(views),
        ...searchHandlers(product.all('publicSearch', services)),
      },
    };
  },
  works: (services) => [
    {
      name: 'contact',
      label: 'effacement des anciens messages de contact',
      every: HOUR_MS,
      run: () => whenTrusted(services, () => forgetOldMessages(services)),
    },
    {
      name: 'audience',
      label: 'effacement des anciennes visites',
      every: DAY_MS,
      run: () => whenTrusted(services, () => forgetOldDays(services)),
    },
  ],
  search: ({ database: { db } }) => [
    {
      genre: 'messages',
      rights: ['contenus', 'sejours'],
      people: 'messages_contact',
      isTrace: true,
      list: () => listSenders(db),
    },
  ],
  personalData: () => [contactPlace],
  keptData: (services) => [settingsPlace(services)],
} satisfies Feature;
