import { z } from 'zod';
import { journal } from '#features/audit/server/journal.ts';
import { itemForm } from '#features/content/calls.ts';
import { erase, moveToBin } from '#features/content/server/bin.ts';
import { type Alongside, addItem, type CheckedForm } from '#features/content/server/items.ts';
import { findRowToChange } from '#features/content/server/store.ts';
import { employees, genreOf, type ItemKind, KINDS } from '#features/content/shared/kinds.ts';
import { addOwnPhoto, removeOwnPhoto } from '#features/gallery/server/ownPhotos.ts';
import {
  addEmployee,
  moveToBin as moveEmployeeToBin,
  moveTeamUp,
} from '#features/members/server/employees.ts';
import { findEmployeeToChange } from '#features/members/server/store.ts';
import { deleteAttestations } from '#features/photos/server/attestationsStore.ts';
import { PREPARED } from '#features/photos/shared/states.ts';
import { type Settings, settingsCalls } from '#features/site/calls.ts';
import { type SettingsFollower, saveSettings } from '#features/site/server/settings.ts';
import { deleteSettings, holdSettings, readSettings } from '#features/site/server/settingsStore.ts';
import { directorCalls, stayCalls } from '#features/stays/calls.ts';
import { saveBooklet } from '#features/stays/server/booklets.ts';
import { deleteBooklet, findBooklet, TABLE as LIVRETS } from '#features/stays/server/bookletsStore.ts';
import {
  deleteDirector,
  getDirector,
  listDirectors,
  putDirector,
} from '#features/stays/server/directorsStore.ts';
import { addStay, type StayFollower } from '#features/stays/server/stays.ts';
import { deleteStay, findStayToChange } from '#features/stays/server/staysStore.ts';
import { SITE, signature } from '#platform/server/actor.ts';
import type { Access } from '#platform/server/db/database.ts';
import { check, conflict } from '#platform/server/errors.ts';
import { condemnFiles, listFiles, tryEraseCondemned } from '#platform/server/files/registerStore.ts';
import { type OwnFile, withOwnFiles } from '#platform/server/http/forms.ts';
import type { Services } from '#platform/server/services.ts';
import { endSessions } from '#platform/server/sessionsStore.ts';
import { settings } from './fixtures.ts';
import { isStayUntouched } from './store.ts';

/* How items are added and removed: as if by the form that staff send, which the site fills in. */

interface OwnForm {
  texts: Record<string, string | string[] | undefined>;
  files: Record<string, OwnFile[]>;
}

interface Adapter {
  /**
   * Adds an item by the rules of its form. Throws the errors of that form; 409 where the site already has one of that
   * name.
   */
  add(form: OwnForm, alongside: Alongside): Promise<unknown>;
  /**
   * Removes an item. An unchanged one is erased for good, past the bin. One that somebody changed goes to the bin
   * instead, or stays there if it is there already; if its kind has no bin, it stays in place. Where no item has that
   * id, only `alongside` is run.
   */
  remove(id: number, alongside: (transaction: Access) => Promise<void>): Promise<void>;
}

/** Work of other features when settings change and when a stay goes. */
export interface Followers {
  settingsFollowers: readonly SettingsFollower[];
  stayFollowers: readonly StayFollower[];
}

export function openAdapters(
  services: Services,
  { settingsFollowers, stayFollowers }: Followers,
): Partial<Record<string, Adapter>> {
  const { database } = services;
  const contents = KINDS.map((kind) => [
    kind.table,
    itemAdapter(services, kind, {
      add: (form, alongside) => addItem(services, kind, form, SITE, alongside),
      findToChange: (transaction, id) => findRowToChange(database, transaction, kind, id),
      moveToBin: (transaction, row, now) => moveToBin(transaction, kind, row.id, SITE, now),
    }),
  ]);
  return {
    ...Object.fromEntries(contents),
    reglages: settingsAdapter(services, settingsFollowers),
    employes: itemAdapter(services, employees, {
      add: (form, alongside) => addEmployee(services, form, SITE, alongside),
      findToChange: (transaction, id) => findEmployeeToChange(database, transaction, id),
      beforeErasing: moveTeamUp,
      moveToBin: (transaction, row, now) => moveEmployeeToBin(transaction, row, SITE, now),
    }),
    stages: stayAdapter(services, stayFollowers),
    formateurs: directorAdapter(services),
    livrets: bookletAdapter(services),
    photos: photoAdapter(services),
  };
}

/** Settings have no rows with ids: the item stands for all of them. */
const ALL_SETTINGS = 1;

/**
 * Fills in the settings that are blank, and empties those that still have the value of the example. What staff or the
 * environment set stays as it is.
 */
function settingsAdapter(services: Services, followers: readonly SettingsFollower[]): Adapter {
  const { database, config } = services;
  /** Saves what `change` makes of the settings as they are, if that is anything. */
  async function save(
    transaction: Access,
    change: (name: keyof typeof settings, value: string) => string,
  ): Promise<string[]> {
    await holdSettings(database, transaction);
    const present = await readSettings(transaction, config);
    const changed: Partial<Settings> = {};
    for (const name of SETTING_NAMES) {
      const value = change(name, present[name]);
      if (value !== present[name]) changed[name] = value;
    }
    if (Object.keys(changed).length > 0) await saveSettings(services, transaction, followers, changed, SITE);
    return Object.keys(changed);
  }
  return {
    add({ texts }, alongside) {
      const own = check(settingsCalls['PUT /reglages'].body.schema, texts);
      return database.write(async (transaction) => {
        await alongside(transaction, ALL_SETTINGS);
        // Mails of a real site would reply to a domain that takes none.
        const left = config.SMTP_URL ? 'organisation_email' : undefined;
        await save(transaction, (name, value) => value || (name === left ? '' : (own[name] ?? '')));
      });
    },
    remove: (_id, alongside) =>
      database.write(async (transaction) => {
        await alongside(transaction);
        const blanked = await save(transaction, (name, value) => (value === settings[name] ? '' : value));
        // A blank that is kept would override what the environment says later.
        await deleteSettings(transaction, blanked);
      }),
  };
}

const SETTING_NAMES = Object.keys(settings) as (keyof typeof settings)[];

interface ItemSteps<Row> {
  add(form: CheckedForm, alongside: Alongside): Promise<unknown>;
  findToChange(transaction: Access, id: number): Promise<Row | undefined>;
  beforeErasing?(transaction: Access, row: Row, now: Date): Promise<unknown>;
  moveToBin(transaction: Access, row: Row, now: Date): Promise<void>;
}

function itemAdapter<Row extends { version: number; supprime_le: string | null }>(
  services: Services,
  kind: ItemKind,
  { add, findToChange, beforeErasing, moveToBin }: ItemSteps<Row>,
): Adapter {
  const { database, clock, cache } = services;
  return {
    add({ texts, files }, alongside) {
      const body = check(itemForm(kind, true).schema, texts);
      return withOwnFiles(files, services.staging, (staged) => add({ body, files: staged }, alongside));
    },
    async remove(id, alongside) {
      await database.write(async (transaction) => {
        const now = clock();
        await alongside(transaction);
        const row = await findToChange(transaction, id);
        if (!row) return;
        // Moving to the bin raises the version too.
        const isUntouched = row.version === (row.supprime_le === null ? 1 : 2);
        if (isUntouched) {
          await beforeErasing?.(transaction, row, now);
          return erase(transaction, kind, id, SITE, now);
        }
        if (row.supprime_le === null) await moveToBin(transaction, row, now);
      });
      await cache.drop(genreOf(kind));
      await tryEraseCondemned(services);
    },
  };
}

/** There is no bin for stays: one that somebody changed or added something to is not removed. */
function stayAdapter(services: Services, followers: readonly StayFollower[]): Adapter {
  const { database, clock, config } = services;
  return {
    add({ texts }, alongside) {
      const { version: _version, ...values } = check(stayCalls['POST /stages'].body.schema, texts);
      return addStay(services, values, SITE, alongside);
    },
    async remove(id, alongside) {
      const isDeleted = await database.write(async (transaction) => {
        await alongside(transaction);
        const stay = await findStayToChange(database, transaction, id);
        await deleteAttestations(transaction, id, signature(SITE).acteur);
        if (!stay || !(await isStayUntouched(transaction, stay, config.TIME_ZONE))) return false;
        await endSessions(transaction, { stageId: id });
        for (const { endUploads } of followers) await endUploads?.(transaction, id);
        await deleteStay(transaction, id);
        await journal(transaction, SITE, clock(), 'effacement', { table: 'stages', id });
        return true;
      });
      // Uploads to a stay that remains belong to somebody, so they are kept.
      if (isDeleted) for (const { settle } of followers) await settle?.(id);
    },
  };
}

/** A director changed or given a stay since is not removed. */
function directorAdapter({ database, clock }: Services): Adapter {
  return {
    add({ texts }, alongside) {
      const person = check(directorCalls['PUT /formateurs/update/:id'].body.schema, texts);
      return database.write(async (transaction) => {
        const now = clock();
        const id = await putDirector(transaction, person, now);
        const { version } = await getDirector(transaction, id);
        if (version !== 1) throw conflict('Un directeur a déjà cette adresse.');
        await journal(transaction, SITE, now, 'création', { table: 'formateurs', id });
        await alongside(transaction, id);
      });
    },
    remove: (id, alongside) =>
      database.write(async (transaction) => {
        await alongside(transaction);
        const [director] = await listDirectors(transaction, id);
        if (director?.version !== 1) return;
        await deleteDirector(transaction, id);
        await journal(transaction, SITE, clock(), 'effacement', { table: 'formateurs', id });
      }),
  };
}

/** A booklet that somebody replaced is not removed. */
function bookletAdapter(services: Services): Adapter {
  const { database, clock } = services;
  const ownerOf = (id: number) => ({ table: LIVRETS, id });
  return {
    add: ({ files }, alongside) =>
      withOwnFiles(files, services.staging, (staged) =>
        saveBooklet(services, staged, SITE, undefined, async (transaction, id) => {
          const held = await listFiles(transaction, ownerOf(id));
          if (held.length > 0) throw conflict('Un livret porte déjà ce nom.');
          await alongside(transaction, id);
        }),
      ),
    async remove(id, alongside) {
      await database.write(async (transaction) => {
        await alongside(transaction);
        const booklet = await findBooklet(transaction, id);
        const [file] = await listFiles(transaction, ownerOf(id));
        // The file that was added with the booklet has the same creation time as its row.
        if (!booklet || file?.created_at !== booklet.created_at) return;
        await deleteBooklet(transaction, booklet.nom);
        await journal(transaction, SITE, clock(), 'effacement', ownerOf(id));
        await condemnFiles(transaction, { table: ownerOf(id).table, ids: [id] });
      });
      await tryEraseCondemned(services);
    },
  };
}

const ownPhoto = z.object({
  /** Blank for a stay that the site does without. */
  stageId: z.coerce.number(),
  decision: z.enum(PREPARED),
  legende: z.string(),
  prise_le: z.string(),
  retrait: z.string(),
});

/** One that somebody changed is not removed. */
function photoAdapter(services: Services): Adapter {
  return {
    async add({ texts, files }, alongside) {
      const photo = check(ownPhoto, texts);
      await withOwnFiles(files, services.staging, async (staged) => {
        const [file] = staged.photo ?? [];
        if (!file) throw new Error('A photo of the example has no file');
        await addOwnPhoto(services, file, photo, alongside);
      });
    },
    remove: (id, alongside) => removeOwnPhoto(services, id, alongside),
  };
}
