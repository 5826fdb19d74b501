import type { FastifyInstance } from 'fastify';
import type { Check } from '#platform/server/checks/check.ts';
import type { Config } from '#platform/server/config.ts';
import type { Access } from '#platform/server/db/database.ts';
import type { TableKeys } from '#platform/server/db/tables.ts';
import type { FileLabels, FileOwners } from '#platform/server/http/downloads.ts';
import type { Handlers } from '#platform/server/http/serve.ts';
import type { Scheduled } from '#platform/server/jobs/schedule.ts';
import type { JobHandlers } from '#platform/server/jobs/worker.ts';
import type { Composers } from '#platform/server/mail/sender.ts';
import type { KeptPlace, Place } from '#platform/server/personalData.ts';
import type { SearchSource } from '#platform/server/search.ts';
import type { Sealed, Secrets } from '#platform/server/secrets.ts';
import type { Services } from '#platform/server/services.ts';

/**
 * What a feature brings to the site, declared once in its `server/feature.ts`. `app/server/features.ts` gathers all features
 * in their order; a feature that needs what others bring (the bin, the dashboard, the example) gets the `Product`.
 */
export interface Feature extends Lists {
  /** The columns that identify a row of each of its tables; a table comes after those that it references. */
  tables?: Partial<TableKeys>;
  sealed?: Sealed;
  /**
   * Makes sure that a database which is opened for writing belongs to the key, by what the feature ties to it or begins
   * to. Throws `ConfigError` for another key.
   */
  requireKey?(transaction: Access, key: OfKey): Promise<void>;
  /** Work of each start, done before anybody reads the data. */
  opening?(services: Services, product: Product): Promise<void>;
  /** Makes the account of the first person who signs in, once the site has its address; undefined: there is one. */
  firstAccount?(services: Services): Promise<FirstAccount | undefined>;
  /** Opens what the feature needs while the site runs; closes it with `app`. */
  open?(services: Services, product: Product, app: FastifyInstance): Opened;
  jobs?(services: Services, product: Product): Partial<JobHandlers>;
  works?(services: Services, product: Product): Scheduled[];
  checks?(services: Services, product: Product): Check[];
  /** Who may open its files, by table. */
  fileOwners?(services: Services): FileOwners;
  fileLabels?(services: Services): FileLabels;
  /** Composers of its mails, by kind of mail. */
  composers?: Partial<Composers>;
}

/**
 * What rooms bring for one of them, which gathers it: an entry of a list each, by the name of the list. The room that
 * gathers a list declares it beside its own introduction, as rooms declare their tables.
 */
export interface Brought {
  /** Personal data stored by e-mail address, and how it is erased. */
  personalData: Place;
  /** Places where such addresses stay after an erasure, and why. */
  keptData: KeptPlace;
  /** What staff find by a few letters. */
  search: SearchSource;
}
export type Lists = { [Name in keyof Brought]?: (services: Services) => Brought[Name][] };

interface OfKey {
  secrets: Secrets;
  config: Config;
  now: Date;
}

/** `password`: only when it was generated; it is shown once. */
export interface FirstAccount {
  username: string;
  password: string | undefined;
}

interface Opened {
  handlers?: Partial<Handlers>;
  /** Registers addresses that are not calls, after the calls. */
  serve?(): void | Promise<void>;
}

/** What all features bring, gathered. */
export interface Product {
  tables: TableKeys;
  sealed: readonly Sealed[];
  works(services: Services): Scheduled[];
  /** `works`: the scheduled works whose failures are reported, if not all. */
  checks(services: Services, works?: readonly Scheduled[]): Check[];
  /** The functions that write mails, by kind. */
  composers: Composers;
  /** All entries of a list. */
  all<Name extends keyof Brought>(name: Name, services: Services): Brought[Name][];
}
