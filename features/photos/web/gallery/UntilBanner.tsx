import { CalendarClock, TriangleAlert } from 'lucide-react';
import { daysBetween } from '#platform/shared/time.ts';
import { useSite } from '#platform/web/site.tsx';
import { dayOf } from '#platform/web/ui/texts.ts';

/** Days before the last one from which on families are urged. */
const LAST_DAYS = 7;

/** Until when the photos stay; in their last week, so that nobody misses it. */
export function UntilBanner({ lastDay }: { lastDay: string }) {
  const { locale, today } = useSite();
  const left = daysBetween(today, lastDay);
  const day = dayOf(lastDay, locale, 'UTC');
  if (left > LAST_DAYS) {
    return (
      <p className="flex items-start gap-2 text-quiet max-sm:-mt-2 max-sm:text-sm">
        <CalendarClock aria-hidden="true" className="mt-0.5 size-5 shrink-0 text-pine" />
        <span>Jusqu’au {day}, puis effacées</span>
      </p>
    );
  }
  return (
    <div className="flex items-start gap-3 rounded-[14px] bg-sun p-4 text-on-sun">
      <TriangleAlert aria-hidden="true" className="mt-0.5 size-6 shrink-0" />
      <div>
        <p className="font-semibold">{leftText(left)}</p>
        <p>
          Elles seront ensuite effacées{'\u202f'}: téléchargez celles que vous voulez garder avant le {day} au
          soir.
        </p>
      </div>
    </div>
  );
}

function leftText(left: number): string {
  if (left <= 0) return 'Dernier jour pour voir les photos';
  return left === 1
    ? 'Plus qu’un jour pour voir les photos'
    : `Plus que ${left}\u00a0jours pour voir les photos`;
}
