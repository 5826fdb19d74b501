import { useSite } from '#platform/web/site.tsx';
import { monthOf } from '#platform/web/ui/texts.ts';

/** Day and month at a glance; the date in words always stands beside it. */
export function CalendarLeaf({ date, className = '' }: { date: string; className?: string }) {
  const { locale } = useSite();
  const day = Number(date.slice(8, 10));
  if (!day) return null;
  return (
    <div className={`leaf ${className}`} aria-hidden="true">
      <span className="leaf-month" suppressHydrationWarning>
        {monthOf(date, locale)}
      </span>
      <span className="leaf-day">{day}</span>
    </div>
  );
}
