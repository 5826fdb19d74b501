import { placesOf } from '#platform/shared/fold.ts';

/** A text with its words that hold one of `asked` marked. */
export function Marked({ text, asked }: { text: string; asked: readonly string[] }) {
  const parts: React.ReactNode[] = [];
  let end = 0;
  for (const place of placesOf(text, asked)) {
    parts.push(text.slice(end, place.start));
    parts.push(<mark key={place.start}>{text.slice(place.start, place.end)}</mark>);
    end = place.end;
  }
  return [...parts, text.slice(end)];
}
