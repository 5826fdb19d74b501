/**
 * The first `most` characters of a long text, on one line and without its light Markdown. Cut first: the
 * patterns are slow on hostile lengths.
 */
export function excerpt(markdown: string, most = 600): string {
  const plain = [...markdown.slice(0, 4 * most)]
    .slice(0, 2 * most)
    .join('')
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/(\*\*|__|\*)(?=\S)(.+?)\1/g, '$2')
    .replace(/^\s*([-*]|\d+\.|#{1,6})\s+/gm, '')
    // Not the no-break spaces that French punctuation keeps.
    .replace(/[ \t\r\n]+/g, ' ')
    .trim();
  const characters = [...plain];
  return characters.length > most ? `${characters.slice(0, most - 1).join('')}…` : plain;
}

/** « 20 juin 2026 » as the visitor writes dates, on the clocks of the site. */
export function dayOf(instant: string, locale: string, timeZone: string): string {
  return new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone }).format(new Date(instant));
}
