import type { ReactNode } from 'react';
import { placesOf } from '#platform/shared/fold.ts';

/** A text in which the words that contain one of `asked` are highlighted. */
export function Marked({ text, asked }: { text: string; asked: readonly string[] }) {
  const parts: ReactNode[] = [];
  let end = 0;
  for (const place of placesOf(text, asked)) {
    parts.push(text.slice(end, place.start));
    parts.push(<mark key={place.start}>{text.slice(place.start, place.end)}</mark>);
    end = place.end;
  }
  return [...parts, text.slice(end)];
}
