/** More than any clamped excerpt shows, in characters. */
const EXCERPT = 600;

/** The start of a long text without its light Markdown. Cut first: the patterns are slow on hostile lengths. */
export function excerpt(markdown: string): string {
  return (
    [...markdown.slice(0, 2 * EXCERPT)]
      .slice(0, EXCERPT)
      .join('')
      .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .replace(/(\*\*|__|\*)(?=\S)(.+?)\1/g, '$2')
      .replace(/^\s*([-*]|\d+\.|#{1,6})\s+/gm, '')
      // Not the no-break spaces that French punctuation keeps.
      .replace(/[ \t\r\n]+/g, ' ')
      .trim()
  );
}

/** « 20 juin 2026 » as the visitor writes dates, on the clocks of the site. */
export function dayOf(instant: string, locale: string, timeZone: string): string {
  return new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone }).format(new Date(instant));
}
