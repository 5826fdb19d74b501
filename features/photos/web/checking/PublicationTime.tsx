import { useId, useState } from 'react';
import { dayAfter, dayAt, instantAt, wallClock } from '#platform/shared/time.ts';
import { useSite } from '#platform/web/site.tsx';
import { weekdayOf } from '#platform/web/ui/texts.ts';
import type { Change } from './decisions.tsx';

/** Publication time in the time zone of the site: `2026-07-08T20:00`; blank: at once. */
export type PublicationWall = string;

const EVENING = '20:00';

interface PublicationTimeProps {
  value: PublicationWall;
  onChange(value: PublicationWall): void;
}

/** Choice of a publication time: now, one of the next evenings, or another time. */
export function PublicationTime({ value, onChange }: PublicationTimeProps) {
  const { locale, timeZone } = useSite();
  const id = useId();
  const now = new Date();
  const nowWall = wallClock(now, timeZone).slice(0, 16);
  const today = dayAt(now, timeZone);
  const tomorrow = dayAfter(today, 1);
  const [thisEvening, nextEvening] = [`${today}T${EVENING}`, `${tomorrow}T${EVENING}`];
  const choices = new Map([
    ['', 'maintenant'],
    ...(nowWall < thisEvening ? [[thisEvening, 'ce soir à 20\u00a0h'] as const] : []),
    [nextEvening, `demain à 20\u00a0h (${weekdayOf(tomorrow, locale)})`],
  ]);
  const [isTyped, setTyped] = useState(false);
  const isOther = isTyped || !choices.has(value);
  const choose = (choice: string) => {
    setTyped(choice === 'other');
    onChange(choice === 'other' ? value || nextEvening : choice);
  };
  const type = (typed: string) => {
    setTyped(true);
    onChange(typed);
  };
  return (
    <div className="flex flex-col gap-1.5">
      <label htmlFor={id} className="font-semibold">
        Les familles les voient
      </label>
      <select
        id={id}
        className="input"
        value={isOther ? 'other' : value}
        onChange={({ target }) => choose(target.value)}
      >
        {[...choices].map(([choice, text]) => (
          <option key={choice} value={choice}>
            {text}
          </option>
        ))}
        <option value="other">à une autre heure</option>
      </select>
      {isOther && (
        <input
          type="datetime-local"
          className="input"
          aria-label="Jour et heure de publication"
          required
          min={nowWall}
          value={value}
          onChange={({ target }) => type(target.value)}
        />
      )}
      {isOther && value === '' && (
        <p className="text-sm text-quiet">Sans heure, elles sont publiées aussitôt.</p>
      )}
      {value !== '' && value <= nowWall && (
        <p className="text-sm text-quiet">Cette heure est passée{'\u202f'}: elles sont publiées aussitôt.</p>
      )}
    </div>
  );
}

/** The change that publishes at this time, or at once when it has passed. */
export function publishingAt(value: PublicationWall, timeZone: string): Change {
  const instant = value === '' ? undefined : instantAt(`${value}:00.000Z`, timeZone);
  const isToCome = instant !== undefined && instant.getTime() > Date.now();
  return { statut: 'publiee', ...(isToCome && { publiee_le: instant.toISOString() }) };
}

/** Converts a publication instant to the form in which it is chosen. */
export function wallOf(instant: string, timeZone: string): PublicationWall {
  return wallClock(new Date(instant), timeZone).slice(0, 16);
}
