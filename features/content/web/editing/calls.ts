import type { Envelope, ItemKind } from '#features/content/shared/kind.ts';
import { genreOf } from '#features/content/shared/kinds.ts';
import type { ReplyOf } from '#platform/shared/call.ts';
import type { Illustration } from '#platform/shared/pictures.ts';
import { call } from '#platform/web/api.ts';

/*
 * The calls of any kind. The table types each by its path; forms are drawn from data, so here the paths are put
 * together and their answers seen as what all kinds have.
 */

/** An item of any kind: its texts by field, beside what every kind has. */
export type AnyItem = Pick<Envelope, 'id' | 'created_at' | 'version'> &
  Partial<Envelope> & { illustrations?: Illustration[] } & Record<string, unknown>;
/** The one kind whose calls stand for all in the types. */
type Like = '/alaune';

export function listQuestion(kind: ItemKind) {
  const key = `GET ${kind.path}` as `GET ${Like}`;
  // What is not public now stands in it, too.
  return kind.hasWindow ? { key, query: { tout: '1' } as const } : { key };
}

export function itemQuestion(kind: ItemKind, id: string) {
  return { key: `GET ${kind.path}/:id` as `GET ${Like}/:id`, params: { id } } as const;
}

/** By id, some kinds answer a list of one, as they always have; `null`: there is none. */
export function itemIn(answer: unknown): AnyItem | undefined {
  return (Array.isArray(answer) ? answer[0] : (answer ?? undefined)) as AnyItem | undefined;
}

export async function saveItem(
  kind: ItemKind,
  id: number | undefined,
  body: FormData,
  onSent: (part: number) => void,
): Promise<AnyItem & { message: string }> {
  const answer: ReplyOf<`POST ${Like}`> =
    id === undefined
      ? await call(`POST ${kind.createPath ?? kind.path}` as `POST ${Like}`, { body, onSent })
      : await call(`PUT ${kind.path}/:id` as `PUT ${Like}/:id`, { params: { id }, body, onSent });
  return answer as unknown as AnyItem & { message: string };
}

export function deleteItem(kind: ItemKind, id: number): Promise<{ message: string }> {
  return call(`DELETE ${kind.path}/:id` as `DELETE ${Like}/:id`, { params: { id } });
}

export function restoreItem(kind: ItemKind, id: number): Promise<{ message: string }> {
  return call('POST /corbeille/:genre/:id/restaurer', { params: { genre: genreOf(kind), id } });
}

export function pictureOf(kind: ItemKind, item: AnyItem | undefined): Illustration | undefined {
  const name = kind.picture && item?.[kind.picture.column];
  return item?.illustrations?.find((one) => one.nom === name);
}

/** In its order. */
export function galleryOf(kind: ItemKind, item: AnyItem | undefined): Illustration[] {
  const names = kind.gallery && item ? String(item[kind.gallery.column]).split(';') : [];
  return names.flatMap((name) => item?.illustrations?.find(({ nom }) => nom === name) ?? []);
}

/** Where an item stands between its dates; without any it is online. */
export function publicationOf({ publie_du, publie_au }: AnyItem): 'over' | 'coming' | 'online' {
  const now = new Date().toISOString();
  if (publie_au && publie_au <= now) return 'over';
  return publie_du && publie_du > now ? 'coming' : 'online';
}
