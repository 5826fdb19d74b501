import { Clock } from 'lucide-react';
import { useState } from 'react';
import type { Photo } from '#features/photos/calls.ts';
import { useSite } from '#platform/web/site.tsx';
import { useNotices } from '#platform/web/ui/notices.tsx';
import { Instant } from '#platform/web/ui/Time.tsx';
import { useAction } from '#platform/web/ui/useForm.ts';
import { type Change, useDecisions } from './decisions.tsx';
import { PublicationTime, type PublicationWall, publishingAt, wallOf } from './PublicationTime.tsx';
import { countOf, isScheduled, whenText } from './texts.ts';

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
  const { decide } = useDecisions();
  const { isBusy, run } = useAction();
  const { say } = useNotices();
  const scheduled = wallOf(hour, site.timeZone);
  /** The new time while it is being chosen; undefined otherwise. */
  const [time, setTime] = useState<PublicationWall>();
  const change = (wanted: Change) =>
    run(async () => {
      const message = await decide(ids, wanted);
      if (message) say(message);
    }, 'Erreur lors du changement de l’heure');
  const { publiee_le } = publishingAt(time ?? scheduled, site.timeZone);
  return (
    <li className="rounded-[10px] border border-mist p-4">
      <p className="flex items-start gap-2">
        <Clock aria-hidden="true" className="mt-0.5 size-5 shrink-0 text-pine" />
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
        <button
          type="button"
          className="button quiet"
          onClick={() => setTime(time === undefined ? scheduled : undefined)}
        >
          {time === undefined ? 'Changer l’heure' : 'Annuler'}
        </button>
        {time !== undefined && (
          <button
            type="button"
            className="button"
            aria-disabled={isBusy || time === scheduled}
            onClick={() => time !== scheduled && change(publishingAt(time, site.timeZone))}
          >
            Publier {publiee_le ? whenText(publiee_le, site) : 'maintenant'}
          </button>
        )}
        <button
          type="button"
          className="button quiet"
          aria-disabled={isBusy}
          onClick={() => change({ statut: 'a_verifier' })}
        >
          Ne plus publier
        </button>
      </div>
    </li>
  );
}
