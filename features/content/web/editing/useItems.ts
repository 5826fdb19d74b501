import { useQueryClient } from '@tanstack/react-query';
import type { Illustration } from '#platform/shared/pictures.ts';
import { call } from '#platform/web/api.ts';
import { useNotices } from '#platform/web/ui/notices.tsx';
import { instantOf } from '#platform/web/ui/texts.ts';
import { useAction } from '#platform/web/ui/useForm.ts';
import { type Envelope, genreOf, type ItemKind, titleOf } from '../../shared/kinds.ts';
import { BIN_DAYS } from '../../shared/limits.ts';

/* The calls of any kind, by its path; forms are drawn from data, and read what is answered as `AnyItem`. */

/** An item of any kind: the members that every kind has, and its texts by field. */
export type AnyItem = Pick<Envelope, 'id' | 'created_at' | 'version'> &
  Partial<Envelope> & { illustrations?: Illustration[] } & Record<string, unknown>;

export function listQuestion(kind: ItemKind) {
  const key = `GET ${kind.path}` as const;
  // `tout` includes items that are not public now.
  return kind.hasWindow ? { key, query: { tout: '1' } as const } : { key };
}

export function itemQuestion(kind: ItemKind, id: string) {
  return { key: `GET ${kind.path}/:id`, params: { id } } as const;
}

/** Unwraps an answer by id: some kinds answer a list of one, as on the original site; `null`: there is none. */
export function itemIn(answer: AnyItem | AnyItem[] | null): AnyItem | undefined {
  return Array.isArray(answer) ? answer[0] : (answer ?? undefined);
}

export function deleteItem(kind: ItemKind, id: number): Promise<{ message: string }> {
  return call(`DELETE ${kind.path}/:id`, { params: { id } });
}

export function restoreItem(kind: ItemKind, id: number): Promise<{ message: string }> {
  return call('POST /corbeille/:genre/:id/restaurer', { params: { genre: genreOf(kind), id } });
}

export function pictureOf(kind: ItemKind, item: AnyItem | undefined): Illustration | undefined {
  const name = kind.picture && item?.[kind.picture.column];
  return item?.illustrations?.find((one) => one.nom === name);
}

export function galleryOf(kind: ItemKind, item: AnyItem | undefined): Illustration[] {
  const names = kind.gallery && item ? String(item[kind.gallery.column]).split(';') : [];
  return names.flatMap((name) => item?.illustrations?.find(({ nom }) => nom === name) ?? []);
}

/** What staff read of an item: whether visitors see it, will see it, or no longer do. */
export const ITEM_STATES = {
  draft: 'Brouillon',
  coming: 'Programmé',
  online: 'Publié',
  over: 'Terminé',
  deleted: 'Corbeille',
};
export type ItemState = keyof typeof ITEM_STATES;

/** Whether an item is a draft, or before, between or after its publication dates; without dates it is online. */
export function publicationOf({ brouillon, publie_du, publie_au }: AnyItem): Exclude<ItemState, 'deleted'> {
  if (brouillon) return 'draft';
  const now = new Date().toISOString();
  if (publie_au && publie_au <= now) return 'over';
  return publie_du && publie_du > now ? 'coming' : 'online';
}

/** When visitors will see an item that they do not see yet; undefined for any other. */
export function comingText(
  item: AnyItem,
  { locale, timeZone }: { locale: string; timeZone: string },
): string | undefined {
  if (publicationOf(item) !== 'coming' || !item.publie_du) return undefined;
  return `Mise en ligne programmée pour le ${instantOf(item.publie_du, locale, timeZone)}`;
}

export const PUBLICATION_LABELS = { publie_du: 'Publié à partir du', publie_au: 'Publié jusqu’au' };

/** Deletes an item after a confirmation, and offers to restore it; `onRestored` is called after a restore. */
export function useDeletion(kind: ItemKind, onRestored: () => void = () => {}) {
  const answers = useQueryClient();
  const { say } = useNotices();
  const { isBusy, run } = useAction(() => answers.invalidateQueries());

  const restore = (id: number) =>
    run(async () => {
      say((await restoreItem(kind, id)).message);
      onRestored();
    }, 'Erreur lors de la restauration');

  function remove(item: AnyItem, onDeleted: () => void): void {
    const { confirmDeletion, consequence = '' } = kind.texts;
    const removeNow = async () => {
      const { message } = await deleteItem(kind, item.id);
      onDeleted();
      say(message, { label: 'Annuler la suppression', run: () => restore(item.id) });
    };
    void run(removeNow, 'Erreur lors de la suppression', {
      question: confirmDeletion,
      consequence: `«\u00a0${titleOf(kind, item)}\u00a0» ira dans la corbeille et pourra en revenir pendant ${BIN_DAYS} jours. ${consequence}`,
      yes: 'Mettre à la corbeille',
    });
  }
  return { isBusy, remove, restore };
}
