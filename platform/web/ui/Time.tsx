import { useSite } from '#platform/web/site.tsx';
import { dayOf, instantOf, momentOf } from './texts.ts';

interface DateProps {
  value: string;
}

/** « 20 juin 2026 », on the clocks of the site. */
export function Day({ value }: DateProps) {
  const { locale, timeZone } = useSite();
  return <Time value={value}>{dayOf(value, locale, timeZone)}</Time>;
}

/** « 20 juin 2026 à 11 h 05 », likewise. */
export function Instant({ value }: DateProps) {
  const { locale, timeZone } = useSite();
  return <Time value={value}>{instantOf(value, locale, timeZone)}</Time>;
}

/** « samedi 20 juin 2026 à 18 h 30 »: what is on the poster of an event, wherever it is read. */
export function Moment({ value }: DateProps) {
  const { locale } = useSite();
  return <Time value={value.slice(0, 16)}>{momentOf(value, locale)}</Time>;
}

interface TimeProps {
  /** As machines write it. */
  value: string;
  /** The same in the visitor's words. */
  children: string;
}

/**
 * A date as the visitor writes it. A browser may know it in slightly other words than the server: those that
 * came with the page stay.
 */
function Time({ value, children }: TimeProps) {
  return (
    <time dateTime={value} suppressHydrationWarning>
      {children}
    </time>
  );
}
