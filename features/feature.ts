import type { FastifyInstance } from 'fastify';
import type { Check } from '#platform/server/checks/check.ts';
import type { FileLabels, FileOwners } from '#platform/server/http/downloads.ts';
import type { Handlers } from '#platform/server/http/serve.ts';
import type { Scheduled } from '#platform/server/jobs/schedule.ts';
import type { JobHandlers } from '#platform/server/jobs/worker.ts';
import type { Composers } from '#platform/server/mail/sender.ts';
import type { KeptPlace, Place } from '#platform/server/personalData.ts';
import type { SearchSource } from '#platform/server/search.ts';
import type { Services } from '#platform/server/services.ts';
import type { NamedTable } from './audit/server/reading.ts';
import type { Shelf } from './content/server/bin.ts';
import type { PublicSource } from './site/server/search.ts';
import type { SettingsFollower } from './site/server/settings.ts';
import type { StayFollower } from './stays/server/stays.ts';

/**
 * What a feature brings to the site, declared once in its `server/feature.ts`. `app/server/app.ts` gathers all features
 * in their order; a feature that needs what others bring (the bin, the dashboard, the example) gets the `Product`.
 */
export interface Feature {
  /** Opens what the feature needs while the site runs; closes it with `app`. */
  open?(services: Services, product: Product, app: FastifyInstance): Opened;
  jobs?(services: Services, product: Product): Partial<JobHandlers>;
  /** Scheduled work, run at intervals. */
  works?(services: Services, product: Product): Scheduled[];
  /** What it checks of itself. */
  checks?(services: Services): Check[];
  /** Personal data that it stores by e-mail address, and how it is erased. */
  personalData?(services: Services): Place[];
  /** Places where such addresses stay after an erasure, and why. */
  keptData?(services: Services): KeptPlace[];
  /** Who may open its files, by table. */
  fileOwners?(services: Services): FileOwners;
  fileLabels?(services: Services): FileLabels;
  /** What of it staff find by a few letters. */
  search?(services: Services): SearchSource[];
  /** What of it visitors find by a few letters. */
  publicSearch?(services: Services): PublicSource[];
  /** Words for the tables that lines of the journal are about. */
  journalNames?(services: Services): NamedTable[];
  /** Its parts of the bin, one for each kind. */
  bin?(services: Services): Shelf[];
  /** Composers of its mails, by kind of mail. */
  composers?: Partial<Composers>;
  /** Called when staff change settings. */
  settingsChanged?: SettingsFollower;
  /** Called when a stay is deleted. */
  ofStays?: StayFollower;
}

interface Opened {
  /** Handlers of its calls. */
  handlers?: Partial<Handlers>;
  /** Registers addresses that are not calls, after the calls. */
  serve?(): void | Promise<void>;
}

/** What all features bring, gathered. */
export interface Product {
  works(services: Services): Scheduled[];
  /** `works`: the scheduled works whose failures are reported, if not all. */
  checks(services: Services, works?: readonly Scheduled[]): Check[];
  personalData(services: Services): Place[];
  keptData(services: Services): KeptPlace[];
  bin(services: Services): Shelf[];
  search(services: Services): SearchSource[];
  publicSearch(services: Services): PublicSource[];
  journalNames(services: Services): NamedTable[];
  settingsFollowers: readonly SettingsFollower[];
  stayFollowers: readonly StayFollower[];
}
