import type { Field, ItemKind } from '#features/content/shared/kind.ts';
import { wallClock } from '#platform/shared/time.ts';
import { MIDDLE } from '#platform/web/ui/FocusField.tsx';
import { type AnyItem, pictureOf } from './useItems.ts';

/** Characters of a wall-clock time that fields show: to the minute. */
const MINUTES = 16;

/** The texts of an item as its form shows them: instants as the clocks of the site show them. */
export function textsOfItem(
  kind: ItemKind,
  item: AnyItem | undefined,
  timeZone: string,
): Record<string, string> {
  const clock = (instant: string | null | undefined) =>
    instant ? wallClock(new Date(instant), timeZone).slice(0, MINUTES) : '';
  const fields = Object.entries(kind.fields).map(([name, field]) => {
    const text = item ? String(item[name] ?? '') : firstText(field);
    return [name, field.type === 'moment' ? text.slice(0, MINUTES) : text];
  });
  return {
    ...Object.fromEntries(fields),
    ...(kind.picture && { texte_alternatif: pictureOf(kind, item)?.texte_alternatif ?? '' }),
    ...(kind.picture?.isSquare && {
      cadrage_x: String(item?.cadrage_x ?? MIDDLE.x),
      cadrage_y: String(item?.cadrage_y ?? MIDDLE.y),
    }),
    ...(kind.hasWindow && { publie_du: clock(item?.publie_du), publie_au: clock(item?.publie_au) }),
  };
}

/** What a field holds before anybody has touched it. */
function firstText({ type, options }: Field): string {
  if (type === 'choice') return options?.[0] ?? '';
  return type === 'tick' ? '1' : '';
}
