/** A long text without its light Markdown, for excerpts. */
export function plainText(markdown: string): string {
  return (
    markdown
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
