import { Clock } from 'lucide-react';
import { useId, useState } from 'react';
import type { Photo } from '#features/photos/calls.ts';
import { dayAfter, dayAt, instantAt, wallClock } from '#platform/shared/time.ts';
import { useSite } from '#platform/web/site.tsx';
import { Button } from '#platform/web/ui/Button.tsx';
import { DateInput } from '#platform/web/ui/Field.tsx';
import { Instant } from '#platform/web/ui/Time.tsx';
import { weekdayOf } from '#platform/web/ui/texts.ts';
import { type Change, useDeciding, type Verdict } from './decisions.tsx';
import { countOf, isScheduled, whenText } from './texts.ts';

/** Publication time in the time zone of the site: `2026-07-08T20:00`; blank: at once. */
export type PublicationWall = string;

const EVENING = '20:00';

interface PublicationTimeProps {
  value: PublicationWall;
  onChange(value: PublicationWall): void;
}

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
        <DateInput
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
export function publishingAt(value: PublicationWall, timeZone: string): Verdict {
  const instant = value === '' ? undefined : instantAt(`${value}:00.000Z`, timeZone);
  const isToCome = instant !== undefined && instant.getTime() > Date.now();
  return { statut: 'publiee', publiee_le: isToCome ? instant.toISOString() : undefined };
}

function wallOf(instant: string, timeZone: string): PublicationWall {
  return wallClock(new Date(instant), timeZone).slice(0, 16);
}

/** Photos that families will see later, grouped by publication time, which can be changed or cancelled. */
export function ScheduledPhotos({ photos }: { photos: readonly Photo[] }) {
  const now = Date.now();
  const hours = new Map<string, number[]>();
  for (const photo of photos) {
    if (!isScheduled(photo, now)) continue;
    const hour = photo.publiee_le ?? '';
    hours.set(hour, [...(hours.get(hour) ?? []), photo.id]);
  }
  if (hours.size === 0) return null;
  return (
    <ul className="flex flex-col gap-3">
      {[...hours].sort().map(([hour, ids]) => (
        <Hour key={hour} hour={hour} ids={ids} />
      ))}
    </ul>
  );
}

function Hour({ hour, ids }: { hour: string; ids: readonly number[] }) {
  const site = useSite();
  const deciding = useDeciding();
  const { isBusy } = deciding;
  const scheduled = wallOf(hour, site.timeZone);
  const [time, setTime] = useState<PublicationWall>();
  const change = (wanted: Change) => deciding.change(ids, wanted, 'Erreur lors du changement de l’heure');
  const { publiee_le } = publishingAt(time ?? scheduled, site.timeZone);
  return (
    <li className="rounded-control border border-mist p-4">
      <p className="flex items-start gap-2">
        <Clock className="mt-0.5 size-5 shrink-0 text-pine" />
        <span>
          <strong>{countOf(ids.length)}</strong> {ids.length > 1 ? 'seront vues' : 'sera vue'} des familles le{' '}
          <Instant value={hour} />.
        </span>
      </p>
      {time !== undefined && (
        <div className="mt-3">
          <PublicationTime value={time} onChange={setTime} />
        </div>
      )}
      <div className="mt-3 flex flex-wrap gap-2">
        {/* The same button opens and closes the choice: pressing it twice must not publish. */}
        <Button quiet onClick={() => setTime(time === undefined ? scheduled : undefined)}>
          {time === undefined ? 'Changer l’heure' : 'Annuler'}
        </Button>
        {time !== undefined && (
          <Button
            aria-disabled={isBusy || time === scheduled}
            onClick={() => time !== scheduled && change(publishingAt(time, site.timeZone))}
          >
            Publier {publiee_le ? whenText(publiee_le, site) : 'maintenant'}
          </Button>
        )}
        <Button quiet aria-disabled={isBusy} onClick={() => change({ statut: 'a_verifier' })}>
          Ne plus publier
        </Button>
      </div>
    </li>
  );
}
