import { type ItemBody, itemForm } from '#features/content/calls.ts';
import type { ItemKind } from '#features/content/shared/kind.ts';
import { genreOf } from '#features/content/shared/kinds.ts';
import type { Actor } from '#platform/server/actor.ts';
import type { Access } from '#platform/server/db/open.ts';
import { eraseStruckOff } from '#platform/server/files/register.ts';
import { check } from '#platform/server/http/errors.ts';
import { type OwnFile, type StagedForm, stageOwnFiles } from '#platform/server/http/forms.ts';
import type { Services } from '#platform/server/services.ts';
import { erase } from './bin.ts';

/** A further write in an item's transaction; if it throws, the whole transaction is undone. */
export type Alongside = (transaction: Access, id: number) => Promise<void>;

/** An item that the site itself adds: the values of its creation form's fields. */
export interface OwnItem {
  texts: Record<string, string | string[]>;
  files: Record<string, OwnFile[]>;
}

/** Adapter by which the site itself adds and removes items of one kind; given by the kind's feature. */
interface Door {
  /**
   * Adds an item by the rules of the form that staff send. Throws the errors of that call; 409 where the site already
   * has one of that name.
   */
  add(item: OwnItem, actor: Actor, alongside: Alongside): Promise<void>;
  /**
   * Removes an item. An unchanged one is erased for good, past the bin. One that somebody changed goes to the bin
   * instead, or stays there if it is there already; if its kind has no bin, it stays in place. Where no item has that
   * id, only `alongside` is run.
   */
  takeOut(id: number, actor: Actor, alongside: (transaction: Access) => Promise<void>): Promise<void>;
}

/** The adapters by table. */
export type Doors = Record<string, Door>;

/** A creation form whose body is checked. */
export interface CheckedForm extends Pick<StagedForm, 'files'> {
  body: ItemBody;
}

/** The steps that differ between features. */
interface OwnWays<Row> {
  add(form: CheckedForm, actor: Actor, alongside: Alongside): Promise<unknown>;
  /** Finds the row and locks it until the end of the transaction. */
  findToChange(transaction: Access, id: number): Promise<Row | undefined>;
  /** Runs before a row is erased. */
  beforeErasing?(transaction: Access, row: Row, now: Date): Promise<unknown>;
  moveToBin(transaction: Access, row: Row, actor: Actor, now: Date): Promise<void>;
}

export function doorOf<Row extends { id: number; version: number; supprime_le: string | null }>(
  services: Services,
  kind: ItemKind,
  { add, findToChange, beforeErasing, moveToBin }: OwnWays<Row>,
): Door {
  const { database, clock, cache } = services;
  return {
    add: (item, actor, alongside) => sendOwn(services, kind, item, (form) => add(form, actor, alongside)),
    takeOut: async (id, actor, alongside) => {
      const keys = await database.write(async (transaction) => {
        const now = clock();
        await alongside(transaction);
        const row = await findToChange(transaction, id);
        if (!row) return [];
        // Moving to the bin raises the version too.
        const isUntouched = row.version === (row.supprime_le === null ? 1 : 2);
        if (isUntouched) {
          await beforeErasing?.(transaction, row, now);
          return erase(transaction, kind, id, actor, now);
        }
        if (row.supprime_le === null) await moveToBin(transaction, row, actor, now);
        return [];
      });
      await cache.drop(genreOf(kind));
      await eraseStruckOff(services, keys);
    },
  };
}

/** Hands an item to `add` as if a form had sent it. */
async function sendOwn(
  { staging }: Services,
  kind: ItemKind,
  { texts, files }: OwnItem,
  add: (form: CheckedForm) => Promise<unknown>,
): Promise<void> {
  const body = check(itemForm(kind, true).schema, texts);
  const staged = await stageOwnFiles(files, staging);
  try {
    await add({ body, files: staged.files });
  } finally {
    await staged.discard();
  }
}
