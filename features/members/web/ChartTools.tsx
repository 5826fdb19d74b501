import { FoldVertical, Minus, Plus, Printer, UnfoldVertical } from 'lucide-react';

/** Percents. */
const SMALLEST = 60;
const LARGEST = 160;
const STEP = 20;

interface ChartToolsProps {
  zoom: number;
  onZoom(zoom: number): void;
  onUnfoldAll(): void;
  onFoldAll(): void;
}

export function ChartTools({ zoom, onZoom, onUnfoldAll, onFoldAll }: ChartToolsProps) {
  return (
    <div className="mt-1 flex flex-wrap items-center gap-2 noscript:hidden print:hidden">
      <button type="button" className="button quiet" onClick={onUnfoldAll}>
        <UnfoldVertical aria-hidden="true" className="size-5" />
        Tout déplier
      </button>
      <button type="button" className="button quiet" onClick={onFoldAll}>
        <FoldVertical aria-hidden="true" className="size-5" />
        Tout replier
      </button>
      <button type="button" className="button quiet" onClick={() => window.print()}>
        <Printer aria-hidden="true" className="size-5" />
        Imprimer
      </button>
      <div className="hidden items-center gap-1 md:flex">
        <ZoomButton label="Réduire" isAtEnd={zoom <= SMALLEST} onClick={() => onZoom(zoom - STEP)}>
          <Minus aria-hidden="true" />
        </ZoomButton>
        <button type="button" className="button quiet min-w-20" onClick={() => onZoom(100)}>
          <span aria-hidden="true">{zoom}&nbsp;%</span>
          <span className="sr-only">Revenir à 100&nbsp;%</span>
        </button>
        <ZoomButton label="Agrandir" isAtEnd={zoom >= LARGEST} onClick={() => onZoom(zoom + STEP)}>
          <Plus aria-hidden="true" />
        </ZoomButton>
        <p role="status" className="sr-only">
          Taille{'\u202f'}: {zoom}
          {'\u00a0'}%
        </p>
      </div>
    </div>
  );
}

interface ZoomButtonProps {
  label: string;
  isAtEnd: boolean;
  onClick(): void;
  children: React.ReactNode;
}

function ZoomButton({ label, isAtEnd, onClick, children }: ZoomButtonProps) {
  // Not `disabled`: a button that vanishes from under the keyboard’s focus loses it.
  return (
    <button
      type="button"
      className="round-button"
      aria-disabled={isAtEnd}
      onClick={() => isAtEnd || onClick()}
    >
      {children}
      <span className="sr-only">{label}</span>
    </button>
  );
}
