import { type KeyboardEvent, type PointerEvent, useEffect, useRef } from 'react';
import type { ClientBody } from '#platform/shared/call.ts';

/** A rectangle of a photo, in fractions of its width and its height. */
export type Zone = NonNullable<ClientBody<'POST /photos/:id/retouche'>['zones']>[number];

interface Point {
  x: number;
  y: number;
}

interface ZoneStageProps {
  source: string;
  name: string;
  ratio: number;
  zones: readonly Zone[];
  selected: number | undefined;
  isFull: boolean;
  onSelect(index: number | undefined): void;
  /** Adds a zone, the last one from then on. */
  onDraw(zone: Zone): void;
  onChange(index: number, zone: Zone): void;
  onRemove(index: number): void;
}

/** What a pointer does until it is lifted: the zone that becomes of it, by where it is. */
interface Drag {
  from: Point;
  /** Undefined while the pointer has only touched the photo, where it may draw a new one. */
  index: number | undefined;
  zoneAt(point: Point): Zone;
}

/** Way in pixels from which a pointer draws; before, it touches. */
const FAR = 8;

export function ZoneStage(props: ZoneStageProps) {
  const { source, name, ratio, zones, selected, isFull, onSelect, onDraw, onChange, onRemove } = props;
  const layer = useRef<HTMLDivElement>(null);
  const drag = useRef<Drag>(undefined);
  /** Where a pointer is on the photo, in fractions, and how far that is from a point in pixels. */
  const pointed = ({ clientX, clientY }: PointerEvent) => {
    const { left, top, width, height } = layer.current?.getBoundingClientRect() ?? new DOMRect(0, 0, 1, 1);
    const point = { x: (clientX - left) / width, y: (clientY - top) / height };
    const wayFrom = ({ x, y }: Point) => Math.hypot((point.x - x) * width, (point.y - y) * height);
    return { point, wayFrom };
  };
  const onPointerDown = (event: PointerEvent) => {
    if (!event.isPrimary || event.button !== 0) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    const { point: from } = pointed(event);
    const target = (event.target as Element).closest<HTMLElement>('[data-zone]');
    const index = target ? Number(target.dataset.zone) : undefined;
    const before = index === undefined ? undefined : zones[index];
    const change = target?.dataset.corner === undefined ? moved : resized;
    const zoneAt = (point: Point) =>
      before ? change(before, { x: point.x - from.x, y: point.y - from.y }) : zoneBetween(from, point);
    drag.current = { from, index, zoneAt };
    onSelect(index);
  };
  const onPointerMove = (event: PointerEvent) => {
    const held = drag.current;
    if (!held) return;
    const { point, wayFrom } = pointed(event);
    if (held.index !== undefined) return onChange(held.index, held.zoneAt(point));
    if (isFull || wayFrom(held.from) < FAR) return;
    held.index = zones.length;
    onDraw(held.zoneAt(point));
  };
  const onPointerUp = () => {
    const held = drag.current;
    drag.current = undefined;
    if (!held) return;
    if (held.index === undefined) return isFull ? undefined : onDraw(zoneAround(held.from, ratio));
    // The corner takes no focus, and a press on it has taken that of the zone.
    layer.current?.querySelector<HTMLElement>(`button[data-zone="${held.index}"]`)?.focus();
  };
  return (
    <div className="min-h-0 grow bg-[#0a1916] p-6 select-none" style={{ containerType: 'size' }}>
      <div className="grid size-full place-items-center" style={{ containerType: 'size' }}>
        <div
          ref={layer}
          className="relative cursor-crosshair touch-none"
          style={{ aspectRatio: ratio, width: `min(100cqw, ${100 * ratio}cqh)` }}
          onPointerDown={onPointerDown}
          onPointerMove={onPointerMove}
          onPointerUp={onPointerUp}
          onPointerCancel={() => {
            drag.current = undefined;
          }}
        >
          <img src={source} alt={name} draggable={false} className="size-full" />
          {zones.map((zone, index) => (
            <ZoneFrame
              // biome-ignore lint/suspicious/noArrayIndexKey: a zone is known by its place
              key={index}
              {...{ zone, index }}
              isSelected={index === selected}
              onSelect={() => onSelect(index)}
              onChange={(changed) => onChange(index, changed)}
              onRemove={() => onRemove(index)}
            />
          ))}
        </div>
      </div>
    </div>
  );
}

interface ZoneFrameProps {
  zone: Zone;
  index: number;
  isSelected: boolean;
  onSelect(): void;
  onChange(zone: Zone): void;
  onRemove(): void;
}

/** Step of an arrow key, in fractions of the photo. */
const STEP = 0.02;
const ARROWS: Record<string, Point> = {
  ArrowLeft: { x: -STEP, y: 0 },
  ArrowRight: { x: STEP, y: 0 },
  ArrowUp: { x: 0, y: -STEP },
  ArrowDown: { x: 0, y: STEP },
};

function ZoneFrame({ zone, index, isSelected, onSelect, onChange, onRemove }: ZoneFrameProps) {
  const frame = useRef<HTMLButtonElement>(null);
  // Keys are about the zone that was just drawn.
  useEffect(() => frame.current?.focus({ preventScroll: true }), []);
  const onKeyDown = (event: KeyboardEvent) => {
    const by = ARROWS[event.key];
    if (by) onChange((event.shiftKey ? resized : moved)(zone, by));
    else if (event.key === 'Delete' || event.key === 'Backspace') onRemove();
    else return;
    event.preventDefault();
  };
  const percent = (part: number) => `${Math.round(part * 100)}\u00a0%`;
  const [left, top] = [zone.x + zone.l, zone.y + zone.h].map((part) => `${part * 100}%`);
  return (
    <>
      <button
        ref={frame}
        type="button"
        data-zone={index}
        aria-label={`Zone ${index + 1}\u202f: à ${percent(zone.x)} de la gauche et ${percent(zone.y)} du haut, large de ${percent(zone.l)}, haute de ${percent(zone.h)}`}
        aria-pressed={isSelected}
        className={`absolute cursor-move border-2 backdrop-blur-md ${
          isSelected ? 'border-[#ffc043] bg-white/25 outline-2 outline-[#0a1916]' : 'border-white bg-white/15'
        }`}
        style={{
          left: `${zone.x * 100}%`,
          top: `${zone.y * 100}%`,
          width: `${zone.l * 100}%`,
          height: `${zone.h * 100}%`,
        }}
        onFocus={onSelect}
        onKeyDown={onKeyDown}
      />
      {isSelected && (
        <span
          data-zone={index}
          data-corner
          aria-hidden="true"
          className="absolute grid size-11 -translate-1/2 cursor-nwse-resize place-items-center"
          style={{ left, top }}
        >
          <span className="size-5 rounded-full border-2 border-[#0a1916] bg-[#ffc043]" />
        </span>
      )}
    </>
  );
}

/** Least side of a zone made here: what can still be seen and taken hold of. */
const LEAST = 0.03;
/** Side of the zone that a touch makes, as a part of the shorter side of the photo: a face, and room for a finger. */
const USUAL = 0.3;

const between = (least: number, value: number, most: number) => Math.min(Math.max(value, least), most);

/** A zone of the usual size around a point, square on screen; `ratio`: width of the photo by its height. */
export function zoneAround({ x, y }: Point, ratio: number): Zone {
  const l = Math.min(USUAL, USUAL / ratio);
  const h = l * ratio;
  return { x: between(0, x - l / 2, 1 - l), y: between(0, y - h / 2, 1 - h), l, h };
}

/** The zone between two opposite corners, inside the photo. */
function zoneBetween(one: Point, other: Point): Zone {
  const side = (from: number, to: number) => {
    const [start, end] = [between(0, Math.min(from, to), 1 - LEAST), between(0, Math.max(from, to), 1)];
    return { start, length: Math.max(LEAST, end - start) };
  };
  const [across, down] = [side(one.x, other.x), side(one.y, other.y)];
  return { x: across.start, y: down.start, l: across.length, h: down.length };
}

function moved({ x, y, l, h }: Zone, by: Point): Zone {
  return { x: between(0, x + by.x, 1 - l), y: between(0, y + by.y, 1 - h), l, h };
}

/** A zone whose lower right corner is moved; the opposite one stays. */
function resized({ x, y, l, h }: Zone, by: Point): Zone {
  return { x, y, l: between(LEAST, l + by.x, 1 - x), h: between(LEAST, h + by.y, 1 - y) };
}
