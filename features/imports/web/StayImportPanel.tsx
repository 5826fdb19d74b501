import { ImportPanel } from './ImportPanel.tsx';
import { STAY_IMPORT } from './kinds.ts';

/** Stays, from a spreadsheet. */
export function StayImportPanel() {
  return <ImportPanel title="Importer des séjours" texts={STAY_IMPORT} />;
}
