import { CalendarDays } from 'lucide-react';
import { type ReactNode, useEffect } from 'react';
import type { NamedStay } from '#features/stays/web/stays.ts';
import { rangeOf } from '#platform/shared/dates.ts';
import { useSite } from '#platform/web/site.tsx';
import { Drawing } from '#platform/web/ui/Drawing.tsx';
import { useNotices } from '#platform/web/ui/notices.tsx';
import { progressOf } from './texts.ts';

interface StayHeaderProps {
  stay: NamedStay;
  drawing: 'lake' | 'mountain';
  /** Whose page it is. */
  above: string;
  /** What can be done from here. */
  children?: ReactNode;
}

/** Name, dates and state of a stay, on a label laid over a drawing. */
export function StayHeader({ stay, drawing, above, children }: StayHeaderProps) {
  const { locale, today } = useSite();
  const { arrive } = useNotices();
  useEffect(arrive, [arrive]);
  return (
    <>
      <Drawing name={drawing} className="h-16 w-full sm:h-[clamp(7rem,18vw,12rem)]" />
      <div className="relative z-10 mx-auto -mt-10 w-full max-w-5xl px-4 sm:-mt-14">
        <header className="flex flex-col gap-1 rounded-[14px] border border-mist bg-card p-4 shadow-card sm:gap-2 sm:p-6">
          <div className="flex flex-wrap items-center justify-between gap-x-2 gap-y-1">
            <p className="font-semibold text-quiet max-sm:text-sm">{above}</p>
            <p className="rounded-full bg-sun px-2 py-0.5 sm:px-3 text-sm font-semibold text-on-sun">
              {progressOf(stay, today)}
            </p>
          </div>
          <h1>{stay.nom_stage}</h1>
          <p className="flex items-start gap-2 sm:text-lg">
            <CalendarDays aria-hidden="true" className="mt-0.5 size-5 sm:mt-1 shrink-0 text-pine" />
            {rangeOf(stay.date_debut, stay.date_fin, locale)}
          </p>
          {children}
        </header>
      </div>
    </>
  );
}
