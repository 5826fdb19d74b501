import { CalendarDays } from 'lucide-react';
import { type ReactNode, useEffect } from 'react';
import { rangeOf } from '../../../shared/dates.ts';
import { useSite } from '../../site.tsx';
import type { NamedStay } from '../../stays.ts';
import { Drawing } from '../../ui/Drawing.tsx';
import { useNotices } from '../../ui/notices.tsx';
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
      <Drawing name={drawing} className="h-[clamp(7rem,18vw,14rem)] w-full" />
      <div className="relative z-10 mx-auto -mt-10 w-full max-w-5xl px-4 sm:-mt-14">
        <header className="flex flex-col gap-3 rounded-[14px] border border-mist bg-card p-5 shadow-card sm:p-8">
          <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
            <p className="font-semibold text-quiet">{above}</p>
            <p className="rounded-full bg-sun px-3 py-0.5 text-sm font-semibold text-on-sun">
              {progressOf(stay, today)}
            </p>
          </div>
          <h1>{stay.nom_stage}</h1>
          <p className="flex items-start gap-2 text-lg">
            <CalendarDays aria-hidden="true" className="mt-1 size-5 shrink-0 text-pine" />
            {rangeOf(stay.date_debut, stay.date_fin, locale)}
          </p>
          {children}
        </header>
      </div>
    </>
  );
}
