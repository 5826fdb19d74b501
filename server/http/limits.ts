import { isIPv6 } from 'node:net';
import { folded } from '../../shared/text.ts';
import type { Database } from '../db/open.ts';
import type { Secrets } from '../secrets.ts';
import { tooMany } from './errors.ts';

/*
 * Attempt limits. A guesser waits longer after each failure, thirty seconds at most, so nobody is ever locked
 * out for long; what is counted is (address, account) and address, so guessing elsewhere never slows anybody
 * down. Kept in the database: a restart forgets nothing, and all processes count together.
 */

interface Rule {
  /** Failures before the first wait. */
  free: number;
  /** First wait in ms; it doubles with each further failure. */
  first: number;
}

const ACCOUNT: Rule = { free: 5, first: 1_000 };
/** An office or a camp shares one address: many people may mistype behind it. */
const ADDRESS: Rule = { free: 60, first: 1_000 };
const LONGEST_WAIT_MS = 30_000;
const NEVER = new Date(0).toISOString();
/** Failures older than this are forgotten. */
const MEMORY_MS = 15 * 60_000;

export interface Attempts {
  /**
   * Counts an attempt as failed before it is checked, so that a hundred sent at once are a hundred; throws 429
   * while the caller has to wait. `succeed` takes the account's count away again.
   */
  begin(action: string, ip: string, account: string): Promise<{ succeed(): Promise<void> }>;
  /** Forgets old failures. */
  sweep(): Promise<void>;
}

export function openAttempts(database: Database, secrets: Secrets, clock: () => Date): Attempts {
  return {
    async begin(action, ip, account) {
      const network = networkOf(ip);
      const accountKey = secrets.fingerprint(`${action}|${network}|${folded(account)}`);
      const addressKey = secrets.fingerprint(`${action}|${network}`);
      // Whoever has to wait is told so by a look: a flood of guesses must not become a flood of writes.
      const held = await database.db
        .selectFrom('tentatives')
        .select('attendre_jusqua')
        .where('cle', 'in', [accountKey, addressKey])
        .execute();
      refuseUntil(held, clock().getTime());
      await database.write(async (transaction) => {
        const now = clock().getTime();
        // Both rows exist and are locked before they are read: two attempts at once are counted as two.
        for (const cle of [addressKey, accountKey]) {
          await transaction
            .insertInto('tentatives')
            .values({ cle, echecs: 0, attendre_jusqua: NEVER, dernier_le: NEVER })
            .onConflict((clash) => clash.column('cle').doUpdateSet({ cle }))
            .execute();
        }
        const rows = await transaction
          .selectFrom('tentatives')
          .selectAll()
          .where('cle', 'in', [accountKey, addressKey])
          .execute();
        refuseUntil(rows, now);
        for (const row of rows) {
          const recent = now - Date.parse(row.dernier_le) < MEMORY_MS;
          const echecs = (recent ? row.echecs : 0) + 1;
          const delay = delayAfter(echecs, row.cle === accountKey ? ACCOUNT : ADDRESS);
          await transaction
            .updateTable('tentatives')
            .set({
              echecs,
              attendre_jusqua: new Date(now + delay).toISOString(),
              dernier_le: new Date(now).toISOString(),
            })
            .where('cle', '=', row.cle)
            .execute();
        }
      });
      return {
        succeed: async () => {
          await database.db.deleteFrom('tentatives').where('cle', '=', accountKey).execute();
          await database.db
            .updateTable('tentatives')
            .set((row) => ({ echecs: row('echecs', '-', 1) }))
            .where('cle', '=', addressKey)
            .where('echecs', '>', 0)
            .execute();
        },
      };
    },
    async sweep() {
      const before = new Date(clock().getTime() - MEMORY_MS).toISOString();
      await database.db.deleteFrom('tentatives').where('dernier_le', '<', before).execute();
    },
  };
}

/** Throws 429 while one of the counts says to wait. */
function refuseUntil(rows: readonly { attendre_jusqua: string }[], now: number): void {
  const wait = Math.max(0, ...rows.map((row) => waitLeft(row.attendre_jusqua, now)));
  if (wait > 0) throw tooMany(Math.ceil(wait / 1000));
}

/** Never longer than the longest wait, even when the clock was set back since. */
function waitLeft(until: string, now: number): number {
  return Math.min(LONGEST_WAIT_MS, Date.parse(until) - now);
}

function delayAfter(failures: number, rule: Rule): number {
  if (failures <= rule.free) return 0;
  return Math.min(LONGEST_WAIT_MS, rule.first * 2 ** (failures - rule.free - 1));
}

/** An IPv4 address, or the /64 of an IPv6 one: a household has a whole /64 to turn to. */
function networkOf(ip: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(ip)?.[1];
  if (mapped) return mapped;
  if (!isIPv6(ip)) return ip;
  return expand(ip).slice(0, 4).join(':');
}

/** An address shortened so that it no longer names a household: what the journal keeps. */
export function shortened(ip: string): string {
  const network = networkOf(ip);
  return network.includes(':')
    ? `${network.split(':').slice(0, 3).join(':')}::`
    : network.replace(/\d+$/, '0');
}

function expand(ip: string): string[] {
  const [head = '', tail] = ip.split('%')[0]?.split('::') ?? [];
  const left = head === '' ? [] : head.split(':');
  const right = tail === undefined || tail === '' ? [] : tail.split(':');
  const middle =
    tail === undefined ? [] : Array<string>(Math.max(0, 8 - left.length - right.length)).fill('0');
  return [...left, ...middle, ...right].map((group) => group.toLowerCase().replace(/^0+(?=.)/, ''));
}
