import type { Feature } from '#features/feature.ts';
import { SITE } from '#platform/server/actor.ts';
import { otherKey } from '#platform/server/secrets.ts';
import { erasuresCheck } from './erasures.ts';
import { beginChain, isChainOf, journal, journalCheck } from './journal.ts';
import { auditHandlers, type NamedTable } from './reading.ts';
import { journalPlace } from './store.ts';
import { auditTables } from './tables.ts';

declare module '#features/feature.ts' {
  interface Brought {
    journalNames: NamedTable;
  }
}

export const audit = {
  tables: auditTables,
  async requireKey(transaction, { secrets, now }) {
    const count = await beginChain(transaction, secrets);
    // This entry also reveals that somebody removed the chain to have it made anew.
    if (count) await journal(transaction, SITE, now, `début de la chaîne du journal (${count} lignes)`);
    if (!(await isChainOf(transaction, secrets))) throw otherKey();
  },
  open: (services, product) => ({ handlers: auditHandlers(services, product.all('journalNames', services)) }),
  checks: (services) => [journalCheck(services), erasuresCheck(services)],
  keptData: () => [journalPlace],
} satisfies Feature;
