import { useEffect, useRef, useState } from 'react';
import type { ChartNode } from '#features/members/calls.ts';
import { ChartSearch } from './ChartSearch.tsx';
import { ChartTools } from './ChartTools.tsx';
import { keepInPlace, keepMiddle } from './inPlace.ts';
import { panning } from './pan.ts';
import { isFlat, People } from './Team.tsx';
import { useChart } from './useChart.ts';

/** The chart: nested lists, which wide screens draw as a tree. */
export function OrgChart({ people }: { people: readonly ChartNode[] }) {
  const chart = useChart(people);
  const [zoom, setZoom] = useState(100);
  const area = useRef<HTMLElement>(null);
  useEffect(() => {
    // Whoever stands alone at the top stands in the middle of a tree that is wider than the screen.
    if (!area.current || people.length > 1) return;
    area.current.scrollLeft = (area.current.scrollWidth - area.current.clientWidth) / 2;
  }, [people.length]);
  const keep = (change: () => void) => area.current && keepMiddle(area.current, change);
  return (
    <>
      <ChartSearch chart={chart} />
      <ChartTools
        zoom={zoom}
        onZoom={(wanted) => keep(() => setZoom(wanted))}
        onUnfoldAll={() => keep(chart.unfoldAll)}
        onFoldAll={() => keep(chart.foldAll)}
      />
      <section
        ref={area}
        aria-label="Organigramme"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard
        tabIndex={0}
        className="chart-area"
        {...panning}
      >
        <ul
          className={`chart ${isFlat(people) ? 'flat' : ''}`}
          style={{ '--zoom': zoom / 100 } as React.CSSProperties}
        >
          <People
            people={people}
            level={0}
            chart={chart}
            onToggle={(id, button) =>
              area.current && keepInPlace(area.current, button, () => chart.toggle(id))
            }
          />
        </ul>
      </section>
    </>
  );
}
