import { isIPv6 } from 'node:net';
import ipaddr from 'ipaddr.js';
import { openKeyedTurns, openTurns } from '#platform/server/concurrency.ts';
import type { Access, Database } from '#platform/server/db/open.ts';
import type { Tables } from '#platform/server/db/tables.ts';
import type { Metrics } from '#platform/server/metrics.ts';
import type { Secrets } from '#platform/server/secrets.ts';
import { folded } from '#platform/shared/fold.ts';
import { HttpError, tooMany } from './errors.ts';
import { ALL_SIGN_INS, countSpike, forgetSpikes } from './spikes.ts';

/*
 * Rate limits. After each failure a guesser waits longer, thirty seconds at most, so nobody is ever locked out for
 * long. Failures are counted by (address, account) and by address, so guessing elsewhere never slows anybody down; and
 * by account alone, for guesses from ever new addresses (`Budget`). Counts are kept in the database: a restart forgets
 * nothing, and all processes share them. Actions that need no password, like writing to the CSE, are counted there too,
 * by windows of time.
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
/** Like `ADDRESS`, of an IPv6 /48: that of a household at some providers, of thousands of telephones at others. */
const ZONE: Rule = { free: 240, first: 1_000 };
/** Of what is only remembered. */
const NO_WAIT: Rule = { free: Number.POSITIVE_INFINITY, first: 0 };
const LONGEST_WAIT_MS = 30_000;
const NEVER = new Date(0).toISOString();
/** Failures older than this are forgotten. */
const MEMORY_MS = 15 * 60_000;
/** Time, in ms, for which a zone that has failed at an account counts as one that tries it again. */
const AGAIN_MS = 12 * 60 * 60_000;

/**
 * Whoever types a password, as far as their device and their address tell. Those before others come first where checks
 * have to wait. `again`: from a zone that has failed at this account lately.
 */
export const STANDINGS = ['known', 'new', 'again'] as const;
export type Standing = (typeof STANDINGS)[number];

/**
 * Failures at one account, from all addresses together, in each window of time; past it the others of this standing wait
 * for the next window. Known devices are free of it, and those who try for the first time have one of their own: whoever
 * guesses, from however many addresses, soon competes with their like alone.
 */
export interface Budget extends Record<Exclude<Standing, 'known'>, number> {
  windowMs: number;
}

interface CheckOptions {
  /** In ms; shorter than the default where one person's typing errors would make many behind the same address wait. */
  longestWait?: number;
  budget?: Budget;
  /** True for a device on which this account was opened before. */
  isKnown?: boolean;
}

/**
 * Length, in ms, of the windows in which actions are counted. No longer than `MEMORY_MS`, or the counts of a window
 * would be forgotten before its end.
 */
const WINDOW_MS = 10 * 60_000;

/** How often an action that needs no password is allowed, in each ten minutes of the clock. */
interface ActLimit {
  perAddress: number;
  /** For everybody together. */
  perSite: number;
  /** Message of the refusal past that. */
  refusal: string;
}

/** Checks of one address that may wait in the queue; beyond, the answer is 503. */
const WAITING_MAX = 200;

/**
 * Failures counted at once, and waiting to be counted, over all addresses together. Each is a commit to disk: a flood
 * of guesses waits for its own counts, and leaves the database to people who type the right password.
 */
const COUNTED_AT_ONCE = 2;
const UNCOUNTED_MAX = 200;

/** Action name of the sign-in to a stay, whose account is the stay's number. */
export const STAY_SIGN_IN = 'sejour';
/** The kind of sign-in to the portal. */
export const PORTAL_SIGN_IN = 'portail';

export interface RateLimits {
  /**
   * Runs `check`, which returns undefined for a wrong password, and counts that failure; throws 429, without running
   * it, while the caller has to wait. Checks of one address run one after the other, so that a hundred wrong ones
   * sent at once are a hundred failures, and a hundred right ones none. `account` is undefined where everybody types
   * the same password: then only the address counts.
   */
  check<T>(
    action: string,
    ip: string,
    account: string | undefined,
    check: (standing: Standing) => Promise<T | undefined>,
    options?: CheckOptions,
  ): Promise<T | undefined>;
  /** Counts one more action; throws 429, without counting it, once the limit is reached. */
  count(action: string, ip: string, limit: ActLimit): Promise<void>;
  /** Deletes counts that no limit reads any longer. */
  deleteOld(): Promise<void>;
}

/** Where counts are kept, how their keys are hashed, and the time. */
interface Given {
  database: Database;
  secrets: Secrets;
  clock: () => Date;
}

export function openRateLimits(
  database: Database,
  secrets: Secrets,
  clock: () => Date,
  metrics: Metrics,
): RateLimits {
  const inTurn = openKeyedTurns(WAITING_MAX);
  const countInTurn = openTurns(COUNTED_AT_ONCE, UNCOUNTED_MAX);

  /**
   * Reads the counts; throws 429 for a caller who has to wait. Only reads: a flood of guesses must not cause writes.
   */
  async function readCounts(keys: readonly string[]): Promise<readonly Tables['tentatives'][]> {
    const rows = await database.db.selectFrom('tentatives').selectAll().where('cle', 'in', keys).execute();
    refuseUntil(rows, clock().getTime());
    return rows;
  }

  async function checkInTurn<T>(
    action: string,
    ip: string,
    account: string | undefined,
    check: (standing: Standing) => Promise<T | undefined>,
    { longestWait = LONGEST_WAIT_MS, budget, isKnown = false }: CheckOptions,
  ): Promise<T | undefined> {
    const [network, zone] = [networkOf(ip), zoneOf(ip)];
    const keyOf = (...whose: string[]) => secrets.fingerprint([action, ...whose].join('|'));
    const addressKey = keyOf(network);
    // Of an IPv4 address, the zone is the network.
    const rules = new Map([
      [keyOf(zone), ZONE],
      [addressKey, ADDRESS],
    ]);
    const ownKeys: string[] = [];
    let againKey = keyOf(zone);
    if (account !== undefined) {
      const ownKey = keyOf(network, folded(account));
      againKey = keyOf(zone, folded(account));
      rules.set(againKey, NO_WAIT).set(ownKey, ACCOUNT);
      ownKeys.push(againKey, ownKey);
    }
    const keys = [...rules.keys()];
    // A stay is kept by its number, so that staff can act on it; a typed name may be anything, so it is hashed.
    const whose = action === STAY_SIGN_IN ? (account ?? '') : keyOf(folded(account ?? ''));

    /** Throws 429 once the budget is spent. */
    async function judge(): Promise<{
      hasFailed: boolean;
      standing: Standing;
      spentKey: string | undefined;
    }> {
      const now = clock().getTime();
      const window = budget && Math.floor(now / budget.windowMs);
      const spentKeyOf = (standing: Standing) => keyOf(folded(account ?? ''), standing, `fenêtre ${window}`);
      const rows = await readCounts(budget ? [...keys, ...STANDINGS.map(spentKeyOf)] : keys);
      const last = rows.find(({ cle }) => cle === againKey)?.dernier_le ?? NEVER;
      const isAgain = now - Date.parse(last) < AGAIN_MS;
      const standing: Standing = isKnown ? 'known' : isAgain ? 'again' : 'new';
      const hasFailed = rows.some(({ cle }) => ownKeys.includes(cle));
      if (!budget || standing === 'known') return { hasFailed, standing, spentKey: undefined };
      const spentKey = spentKeyOf(standing);
      const spent = rows.find(({ cle }) => cle === spentKey)?.echecs ?? 0;
      if (spent >= budget[standing])
        throw tooMany(Math.ceil((budget.windowMs - (now % budget.windowMs)) / 1000));
      return { hasFailed, standing, spentKey };
    }

    await judge();
    return inTurn(addressKey, async () => {
      const { hasFailed, standing, spentKey } = await judge();
      const result = await check(standing);
      if (result === undefined) {
        const failure = { action, whose, spentKey };
        await countInTurn(() => countFailure({ database, clock }, failure, rules, longestWait));
      } else if (hasFailed)
        await database.write((transaction) =>
          transaction.deleteFrom('tentatives').where('cle', 'in', ownKeys).execute(),
        );
      return result;
    });
  }

  return {
    async check(action, ip, account, check, options = {}) {
      try {
        const result = await checkInTurn(action, ip, account, check, options);
        metrics.signIn(action, result === undefined ? 'wrong' : 'right');
        return result;
      } catch (error) {
        if (error instanceof HttpError && error.status === 429) metrics.signIn(action, 'limited');
        throw error;
      }
    },
    count: (action, ip, limit) => countAct({ database, secrets, clock }, action, ip, limit),
    async deleteOld() {
      const before = new Date(clock().getTime() - AGAIN_MS).toISOString();
      await database.write(async (transaction) => {
        await transaction.deleteFrom('tentatives').where('dernier_le', '<', before).execute();
        await forgetSpikes(transaction, clock());
      });
    },
  };
}

/** Counts a failed check for each key and against the budget, and sets how long the next one of a key has to wait. */
async function countFailure(
  { database, clock }: Pick<Given, 'database' | 'clock'>,
  { action, whose, spentKey }: { action: string; whose: string; spentKey: string | undefined },
  rules: ReadonlyMap<string, Rule>,
  longestWait: number,
): Promise<void> {
  await database.write(async (transaction) => {
    const now = clock().getTime();
    // Rows are locked in a fixed order before they are read: two processes at once count two failures.
    for (const [cle, rule] of rules) {
      const row = await transaction
        .insertInto('tentatives')
        .values({ cle, echecs: 0, attendre_jusqua: NEVER, dernier_le: NEVER })
        .onConflict((clash) => clash.column('cle').doUpdateSet({ cle }))
        .returning(['echecs', 'dernier_le'])
        .executeTakeFirstOrThrow();
      const isRecent = now - Date.parse(row.dernier_le) < MEMORY_MS;
      const echecs = (isRecent ? row.echecs : 0) + 1;
      const until = new Date(now + delayAfter(echecs, rule, longestWait)).toISOString();
      await transaction
        .updateTable('tentatives')
        .set({ echecs, attendre_jusqua: until, dernier_le: new Date(now).toISOString() })
        .where('cle', '=', cle)
        .execute();
    }
    if (spentKey !== undefined) await countOne(transaction, spentKey, now);
    await countSpike(transaction, action, whose, clock());
    // Last, as all failures update this row.
    await countSpike(transaction, ALL_SIGN_INS, '', clock());
  });
}

/** Counts one more action of an address and of all; throws 429, without counting it, once a limit is reached. */
async function countAct(
  { database, secrets, clock }: Given,
  action: string,
  ip: string,
  { perAddress, perSite, refusal }: ActLimit,
): Promise<void> {
  const now = clock().getTime();
  const window = Math.floor(now / WINDOW_MS);
  // The key contains the window, so a count restarts with the next one; old rows are deleted by `deleteOld`.
  const keyOf = (whose: string) => secrets.fingerprint(`${action}|${whose}|fenêtre ${window}`);
  const limits = new Map([
    [keyOf(networkOf(ip)), perAddress],
    [keyOf('tous'), perSite],
  ]);
  const refusePast = (cle: string, counted: number) => {
    if (counted <= (limits.get(cle) ?? 0)) return;
    throw tooMany(Math.ceil(((window + 1) * WINDOW_MS - now) / 1000), refusal);
  };
  // As in `readCounts`, a caller past the limit is refused by a read only.
  const rows = await database.db
    .selectFrom('tentatives')
    .selectAll()
    .where('cle', 'in', [...limits.keys()])
    .execute();
  for (const { cle, echecs } of rows) refusePast(cle, echecs + 1);
  await database.write(async (transaction) => {
    for (const cle of limits.keys()) {
      refusePast(cle, await countOne(transaction, cle, now));
    }
  });
}

/** Adds one to a count without waits, and returns it. */
async function countOne(transaction: Access, cle: string, now: number): Promise<number> {
  const dernier_le = new Date(now).toISOString();
  const { echecs } = await transaction
    .insertInto('tentatives')
    .values({ cle, echecs: 1, attendre_jusqua: NEVER, dernier_le })
    .onConflict((clash) =>
      clash.column('cle').doUpdateSet((expression) => ({
        echecs: expression('tentatives.echecs', '+', 1),
        dernier_le,
      })),
    )
    .returning('echecs')
    .executeTakeFirstOrThrow();
  return echecs;
}

/** Throws 429 while one of the counts says to wait. */
function refuseUntil(rows: readonly { attendre_jusqua: string }[], now: number): void {
  const wait = Math.max(0, ...rows.map((row) => waitLeft(row.attendre_jusqua, now)));
  if (wait > 0) throw tooMany(Math.ceil(wait / 1000));
}

/** Remaining wait in ms; never longer than the longest wait, even when the clock was set back since. */
function waitLeft(until: string, now: number): number {
  return Math.min(LONGEST_WAIT_MS, Date.parse(until) - now);
}

function delayAfter(failures: number, rule: Rule, longest: number): number {
  if (failures <= rule.free) return 0;
  return Math.min(longest, rule.first * 2 ** (failures - rule.free - 1));
}

/** An IPv4 address, or the /64 of an IPv6 one, as a household can use a whole /64. */
function networkOf(ip: string): string {
  return partOf(ip, 4);
}

/** An IPv4 address, or the /48 of an IPv6 one, of which somebody may have all 65,536 networks. */
function zoneOf(ip: string): string {
  return partOf(ip, 3);
}

/** An IPv4 address, or so many words of an IPv6 one. */
function partOf(ip: string, words: number): string {
  if (!isIPv6(ip)) return ip;
  // Without the zone, of which the library knows fewer forms; an IPv4 address written as an IPv6 one becomes IPv4.
  const address = ipaddr.process(ip.replace(/%.*/, ''));
  if (!(address instanceof ipaddr.IPv6)) return address.toString();
  return address.parts
    .slice(0, words)
    .map((part) => part.toString(16))
    .join(':');
}

/** An address shortened for the journal, so that it no longer identifies a household. */
export function shortened(ip: string): string {
  const network = networkOf(ip);
  return network.includes(':')
    ? `${network.split(':').slice(0, 3).join(':')}::`
    : network.replace(/\d+$/, '0');
}
