import type { FastifyInstance } from 'fastify';
import type { FileLabels, FileOwners } from '#platform/server/http/downloads.ts';
import type { Handlers } from '#platform/server/http/serve.ts';
import type { JobHandlers } from '#platform/server/jobs/jobs.ts';
import type { Scheduled } from '#platform/server/jobs/schedule.ts';
import type { Composers } from '#platform/server/mail/sender.ts';
import type { KeptPlace, Place } from '#platform/server/personalData.ts';
import type { Services } from '#platform/server/services.ts';
import type { Shelf } from './content/server/bin.ts';
import type { Doors } from './content/server/doors.ts';
import type { SettingsFollower } from './site/server/settings.ts';
import type { StayFollower } from './stays/server/stays.ts';

/**
 * What a feature brings to the site, said once in its `server/feature.ts`. `app/server/app.ts` gathers them in their order;
 * whoever needs what others bring (the bin, the dashboard, the example) is given the gathered `Product`.
 */
export interface Feature {
  /** Opens what the feature needs while the site runs; what is open closes with `app`. */
  open?(services: Services, product: Product, app: FastifyInstance): Opened;
  jobs?(services: Services, product: Product): Partial<JobHandlers>;
  /** Work that comes back. */
  works?(services: Services, product: Product): Scheduled[];
  /** What it knows of people by their address, and how it forgets it. */
  personalData?(services: Services): Place[];
  /** Where such addresses stay, and why. */
  keptData?(services: Services): KeptPlace[];
  /** Who may open its files, by table. */
  fileOwners?(services: Services): FileOwners;
  fileLabels?(services: Services): FileLabels;
  /** Its part of the bin. */
  bin?(services: Services): Shelf[];
  /** What its mails say, by kind. */
  composers?: Partial<Composers>;
  /** What it does when staff change settings. */
  settingsChanged?: SettingsFollower;
  /** What it keeps of stays. */
  ofStays?: StayFollower;
  /** How the site itself brings its things: the example content. */
  doors?(services: Services, product: Product): Doors;
}

interface Opened {
  /** Answers to its calls. */
  handlers?: Partial<Handlers>;
  /** Addresses that are no calls; registered after those of calls. */
  serve?(): void | Promise<void>;
}

/** What all features bring together. */
export interface Product {
  works(services: Services): Scheduled[];
  personalData(services: Services): Place[];
  keptData(services: Services): KeptPlace[];
  bin(services: Services): Shelf[];
  doors(services: Services): Doors;
  settingsFollowers: readonly SettingsFollower[];
  stayFollowers: readonly StayFollower[];
}
