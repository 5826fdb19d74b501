import type { LastChange } from '#platform/web/conflicts.ts';
import { useSite } from '#platform/web/site.tsx';
import { dayOf, instantOf, momentOf, untilText } from './texts.ts';

interface DateProps {
  value: string;
}

/** « 20 juin 2026 », in the site's time zone. */
export function Day({ value }: DateProps) {
  const { locale, timeZone } = useSite();
  return <Time value={value}>{dayOf(value, locale, timeZone)}</Time>;
}

/** « 20 juin 2026 à 11 h 05 », in the site's time zone. */
export function Instant({ value }: DateProps) {
  const { locale, timeZone } = useSite();
  return <Time value={value}>{instantOf(value, locale, timeZone)}</Time>;
}

/** « Modifié par Claire Dupont le 3 mai 2026 à 14 h 05. », for a form that somebody else was faster than. */
export function ModifiedBy({ change }: { change: LastChange | undefined }) {
  if (!change) return null;
  return (
    <p className="mt-2">
      Modifié {change.par !== null && `par ${change.par} `}le <Instant value={change.le} />.
    </p>
  );
}

/**
 * « samedi 20 juin 2026 à 18 h 30 », with an end « , jusqu’à 22 h »: the wall-clock time of an event, the same wherever it is
 * read.
 */
export function Moment({ value, end = '' }: DateProps & { end?: string }) {
  const { locale } = useSite();
  return (
    <>
      <Time value={value.slice(0, 16)}>{momentOf(value, locale)}</Time>
      {end !== '' && (
        <>
          , <Time value={end.slice(0, 16)}>{untilText(value, end, locale)}</Time>
        </>
      )}
    </>
  );
}

interface TimeProps {
  /** Machine-readable form, for the `datetime` attribute. */
  value: string;
  /** The same in the visitor's locale. */
  children: string;
}

/**
 * A date in the visitor's locale. The browser may format it slightly differently from the server: the text that came
 * with the page stays.
 */
function Time({ value, children }: TimeProps) {
  return (
    <time dateTime={value} suppressHydrationWarning>
      {children}
    </time>
  );
}
