import { setTimeout as pause } from 'node:timers/promises';
import { openKeyedTurns, openTurns } from '#platform/server/concurrency.ts';
import type { Database } from '#platform/server/db/database.ts';
import { HttpError, tooMany } from '#platform/server/errors.ts';
import type { Metrics } from '#platform/server/metrics.ts';
import { networkOf, providerOf, zoneOf } from '#platform/server/networks.ts';
import type { Secrets } from '#platform/server/secrets.ts';
import { folded } from '#platform/shared/fold.ts';
import {
  countAct,
  countFailure,
  deleteOldAttempts,
  forgetAttempts,
  type Rule,
  readAttempts,
} from './attemptsStore.ts';
import { creating, deleteOldCreations } from './creationsStore.ts';

/*
 * The limiter of passwords and of acts that need none; docs/decisions/0034 explains it with a drawing. A password is
 * looked at in the lane of its account, and only after that is a failure counted: a right password is refused for no
 * failures but those of its own network. Counts are kept in the database: a restart forgets nothing, and all processes
 * share them.
 */

/** What kind of sign-in an account is opened by, and how its lane is paced. */
export interface Lane {
  /** Name in counts and metrics. */
  name: string;
  /** Longest wait, in ms, of a network after its own failures; shorter where many people share an address. */
  longestWait: number;
  /** Failures at one account in `MEMORY_MS`, from everywhere, after which each holds the lane for `everyMs`. */
  burst: number;
  everyMs: number;
}

/** Who types a password, and for which account; undefined where everybody types the same one. */
export interface Attempt {
  ip: string;
  account?: string | undefined;
  /** As it is recorded for staff; absent: hashed, as a typed name may be anything. */
  shownAs?: string;
  /** True for a device on which this account was opened before: it has a lane of its own. */
  isKnown?: boolean;
}

/** Of one network at one account. */
const ACCOUNT: Rule = { free: 5, first: 1_000 };
/** Of one network at all accounts: an office or a camp shares one address, and many people may mistype behind it. */
const ADDRESS: Rule = { free: 60, first: 1_000 };
/** Like `ADDRESS`, of an IPv6 /48: that of a household at some providers, of thousands of telephones at others. */
const ZONE: Rule = { free: 240, first: 1_000 };
/** Of what is only remembered: the failures of a provider at an account, and those of everybody. */
const NO_WAIT: Rule = { free: Number.POSITIVE_INFINITY, first: 0 };
/** Longest time, in ms, that a lane may take to look at all who wait in it; beyond, those of the most failures leave. */
const LINE_MS = 20_000;
/** Attempts of one network that may wait for one another; beyond, the answer is 503. */
const WAITING_MAX = 200;
/**
 * Failures counted at once, and waiting to be counted, over all accounts together. Each is a commit to disk: a flood of
 * guesses waits for its own counts, and leaves the database to people who type the right password.
 */
const COUNTED_AT_ONCE = 2;
const UNCOUNTED_MAX = 200;
/**
 * Length, in ms, of the windows in which acts are counted. No longer than `MEMORY_MS`, or the counts of a window would be
 * forgotten before its end.
 */
const WINDOW_MS = 10 * 60_000;

/** How often somebody may do what needs no password, in each ten minutes of the clock. */
export interface ActLimit {
  most: number;
  /** Message of the refusal past that. */
  refusal: string;
}

export interface RateLimits {
  /**
   * Runs `check`, which returns undefined for a wrong password, and counts that failure. Throws 429, without running it,
   * while the network has to wait for its own failures, and 503 where too many wait. Attempts of one network run one after
   * the other, so that a hundred wrong ones sent at once are a hundred failures, and a hundred right ones none. Where checks
   * have to wait, those of the lowest `rank` go first: how often their provider (of IPv4: they themselves) has failed at this
   * account lately.
   */
  check<T>(
    lane: Lane,
    attempt: Attempt,
    check: (rank: number) => Promise<T | undefined>,
  ): Promise<T | undefined>;
  /** Counts one more act of somebody, a network or an account; throws 429, without counting it, once the limit is reached. */
  count(action: string, whose: string, limit: ActLimit): Promise<void>;
  /** Deletes counts that no limit reads any longer. */
  deleteOld(): Promise<void>;
}

/** Rank of a device that the account knows: before all others. */
const KNOWN = -1;

export function openRateLimits(
  database: Database,
  secrets: Secrets,
  clock: () => Date,
  metrics: Metrics,
): RateLimits {
  const inTurn = openKeyedTurns(WAITING_MAX);
  const countInTurn = openTurns(COUNTED_AT_ONCE, UNCOUNTED_MAX);
  const lanes = new Map<string, ReturnType<typeof openKeyedTurns>>();
  const laneOf = ({ name, everyMs }: Lane) => {
    const lane = lanes.get(name) ?? openKeyedTurns(LINE_MS / everyMs);
    lanes.set(name, lane);
    return lane;
  };

  async function checkInLane<T>(
    lane: Lane,
    { ip, account, shownAs, isKnown = false }: Attempt,
    check: (rank: number) => Promise<T | undefined>,
  ): Promise<T | undefined> {
    const keyOf = (...whose: string[]) => secrets.fingerprint([lane.name, ...whose].join('|'));
    const [network, whom] = [networkOf(ip), folded(account ?? '')];
    const keys = {
      ...{ all: keyOf('compte', whom), zone: keyOf(zoneOf(ip)), network: keyOf(network) },
      ...{ providerAtAccount: keyOf(providerOf(ip), whom), own: keyOf(network, whom) },
    };
    // Of an IPv4 address, zone and provider are the network, and the later rule holds.
    const rules = new Map([
      [keys.all, NO_WAIT],
      [keys.zone, ZONE],
      [keys.network, ADDRESS],
      [keys.providerAtAccount, NO_WAIT],
      [keys.own, account === undefined ? NO_WAIT : ACCOUNT],
    ]);
    const read = async () => {
      const rows = await readAttempts(database.db, [...rules.keys()], clock());
      return (key: string) => rows.find(({ cle }) => cle === key)?.echecs ?? 0;
    };
    const look = async (rank: number): Promise<T | undefined> => {
      const failuresOf = await read();
      const result = await check(rank);
      if (result === undefined) {
        const whose = shownAs ?? keyOf(whom);
        await countInTurn(() => countFailure(database, lane, whose, rules, clock));
        if (!isKnown && failuresOf(keys.all) >= lane.burst) await pause(lane.everyMs);
      } else if (failuresOf(keys.own) > 0)
        await database.write((transaction) => forgetAttempts(transaction, keys.own));
      return result;
    };
    await read();
    return inTurn(keys.network, async () => {
      if (isKnown) return look(KNOWN);
      const rank = (await read())(keys.providerAtAccount);
      return laneOf(lane)(whom, () => look(rank), rank);
    });
  }

  return {
    async check(lane, attempt, check) {
      try {
        const result = await checkInLane(lane, attempt, check);
        metrics.signIn(lane.name, result === undefined ? 'wrong' : 'right');
        return result;
      } catch (error) {
        if (error instanceof HttpError && error.status === 429) metrics.signIn(lane.name, 'limited');
        throw error;
      }
    },
    async count(action, whose, { most, refusal }) {
      const now = clock().getTime();
      const window = Math.floor(now / WINDOW_MS);
      // The key contains the window, so a count restarts with the next one; old rows are deleted by `deleteOld`.
      const cle = secrets.fingerprint(`${action}|${whose}|fenêtre ${window}`);
      const refusePast = (counted: number) => {
        if (counted > most) throw tooMany(Math.ceil(((window + 1) * WINDOW_MS - now) / 1000), refusal);
      };
      const [row] = await readAttempts(database.db, [cle], clock());
      refusePast((row?.echecs ?? 0) + 1);
      await creating.exit(() =>
        database.write(async (transaction) => refusePast(await countAct(transaction, cle, clock()))),
      );
    },
    deleteOld: () =>
      database.write(async (transaction) => {
        await deleteOldAttempts(transaction, clock());
        await deleteOldCreations(transaction, clock());
      }),
  };
}
