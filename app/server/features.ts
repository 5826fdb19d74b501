import { accounts } from '#features/accounts/server/feature.ts';
import { audit } from '#features/audit/server/feature.ts';
import { checking } from '#features/checking/server/feature.ts';
import { content } from '#features/content/server/feature.ts';
import { dashboard } from '#features/dashboard/server/feature.ts';
import { evenings } from '#features/evenings/server/feature.ts';
import { example } from '#features/example/server/feature.ts';
import type { Feature, FirstAccount, Lists, Product } from '#features/feature.ts';
import { gallery } from '#features/gallery/server/feature.ts';
import { imports } from '#features/imports/server/feature.ts';
import { mails } from '#features/mails/server/feature.ts';
import { members } from '#features/members/server/feature.ts';
import { photos } from '#features/photos/server/feature.ts';
import { privacy } from '#features/privacy/server/feature.ts';
import { sending } from '#features/sending/server/feature.ts';
import { shelf } from '#features/shelf/server/feature.ts';
import { site } from '#features/site/server/feature.ts';
import { stays } from '#features/stays/server/feature.ts';
import { takeover } from '#features/takeover/server/feature.ts';
import { dataChecks } from '#platform/server/checks/data.ts';
import { machineChecks } from '#platform/server/checks/machine.ts';
import { platformTables, type TableKeys } from '#platform/server/db/tables.ts';
import { checkIntegrity } from '#platform/server/files/integrityStore.ts';
import { cleanUpOrphans } from '#platform/server/files/orphans.ts';
import { INTEGRITY_CHECK, type Scheduled } from '#platform/server/jobs/schedule.ts';
import type { JobHandlers } from '#platform/server/jobs/worker.ts';
import { mailJobs } from '#platform/server/mail/sender.ts';
import type { Services } from '#platform/server/services.ts';
import { DAY_MS, HOUR_MS } from '#platform/shared/time.ts';

/* The list of features, and what they bring, gathered. */

const FEATURES = [
  audit,
  site,
  accounts,
  content,
  members,
  stays,
  imports,
  mails,
  photos,
  sending,
  checking,
  gallery,
  shelf,
  evenings,
  privacy,
  dashboard,
  example,
  takeover,
] as const;
/** `FEATURES` with the common type of all features, for loops. */
export const features: readonly Feature[] = FEATURES;

type Union<T> = (T extends unknown ? (one: T) => void : never) extends (all: infer All) => void ? All : never;
type Brought<K extends keyof Feature> = (typeof FEATURES)[number] extends infer F
  ? F extends { [key in K]: infer Part }
    ? Part
    : never
  : never;
/** The merged type of what all features bring for one part, so that code below does not compile when one is missing. */
export type AllOf<K extends keyof Feature> = Union<
  Brought<K> extends infer Part ? (Part extends (...given: never) => infer Result ? Result : Part) : never
>;

/** The columns that identify a row of each table; tables come after those that they reference. */
export const tableKeys: TableKeys = {
  ...(merged(features.map((one) => one.tables)) as AllOf<'tables'>),
  ...platformTables,
};

export const product: Product = {
  tables: tableKeys,
  sealed: features.flatMap((one) => one.sealed ?? []),
  works: (services) => [
    ...filesWorks(services),
    ...features.flatMap((one) => one.works?.(services, product) ?? []),
  ],
  checks: (services, works = product.works(services)) => [
    ...machineChecks(services),
    ...dataChecks(services, works),
    ...features.flatMap((one) => one.checks?.(services, product) ?? []),
  ],
  composers: merged(features.map((one) => one.composers)) as AllOf<'composers'>,
  all: (name, services) => (features as readonly Lists[]).flatMap((one) => one[name]?.(services) ?? []),
};

export function merged<T extends object>(parts: readonly (T | undefined)[]): T {
  return Object.assign({}, ...parts);
}

export function jobHandlers(services: Services): JobHandlers {
  const jobs = merged(features.map((one) => one.jobs?.(services, product))) as AllOf<'jobs'>;
  return { ...jobs, ...mailJobs(services, product.composers) };
}

function filesWorks(services: Services): Scheduled[] {
  return [
    {
      name: 'balayage',
      label: 'rangement des fichiers',
      every: DAY_MS,
      run: async () => void (await cleanUpOrphans(services)),
    },
    {
      name: INTEGRITY_CHECK,
      label: 'relecture des fichiers',
      every: HOUR_MS,
      run: () => checkIntegrity(services),
    },
    {
      name: 'place',
      label: 'place gardée sur le disque',
      every: HOUR_MS,
      async run() {
        await services.database.room?.keep();
        await services.erasures.ensure();
      },
    },
  ];
}

/** Does the work of a start that comes before anybody reads the data. */
export async function openFeatures(services: Services): Promise<void> {
  for (const one of features) await one.opening?.(services, product);
}

export async function makeFirstAccount(services: Services): Promise<FirstAccount | undefined> {
  for (const one of features) {
    const made = await one.firstAccount?.(services);
    if (made) return made;
  }
  return undefined;
}
