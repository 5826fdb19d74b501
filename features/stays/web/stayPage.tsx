import { Plus } from 'lucide-react';
import { type ComponentType, createContext, type ReactNode, useContext } from 'react';
import type { Right } from '#platform/shared/roles.ts';
import type { LazyPage } from '#platform/web/pages.tsx';
import { panelAddress } from '#platform/web/portal.ts';
import { Link } from '#platform/web/ui/Link.tsx';
import { stayAddress, stayFormAddress } from './stays.ts';

/*
 * The page of one stay in the portal: what each feature brings to it. Its tabs show the bodies of panels, which do not
 * ask for a stay there.
 */

export interface StayTab {
  /** Used in its address: it must not change. */
  key: string;
  label: string;
  /** The right that opens it; absent: `sejours`. */
  right?: Right;
  place: number;
  /** What it shows; undefined for a tab that is a page of its own. */
  Component?: LazyPage;
  addressOf?(stageId: number): string;
}

export function tabAddress({ key, addressOf }: StayTab, stageId: number): string {
  return addressOf?.(stageId) ?? stayAddress(stageId, key);
}

const OnlyStay = createContext<number | undefined>(undefined);

/** What is inside concerns this stay alone. */
export function OnlyStayProvider({ id, children }: { id: number; children: ReactNode }) {
  return <OnlyStay.Provider value={id}>{children}</OnlyStay.Provider>;
}

/** The id of the only stay that is concerned; undefined where people choose one. */
export function useOnlyStay(): number | undefined {
  return useContext(OnlyStay);
}

/** The panel of what a tab of that page shows too, under a title of its own. */
export function panelOf(title: string, className: string, Body: ComponentType) {
  return () => (
    <div className={className}>
      <h1>{title}</h1>
      <Body />
    </div>
  );
}

/** The two ways to have stays: one by one, or from a file. */
export function NewStayWays() {
  return (
    <p className="flex flex-wrap gap-3">
      <NewStayLink />
      <Link className="button quiet" to={panelAddress('sejours-importer')}>
        Importer des séjours
      </Link>
    </p>
  );
}

export function NewStayLink() {
  return (
    <Link className="button w-fit" to={stayFormAddress('nouveau')}>
      <Plus className="size-5" />
      Créer un séjour
    </Link>
  );
}

/** Links under the title of a list to the panels that the menu leaves out. */
export function PanelLinks({ panels }: { panels: Record<string, string> }) {
  return (
    <p className="mb-2 flex flex-wrap gap-x-5">
      {Object.entries(panels).map(([key, label]) => (
        <Link key={key} className="inline-flex min-h-11 items-center" to={panelAddress(key)}>
          {label}
        </Link>
      ))}
    </p>
  );
}
