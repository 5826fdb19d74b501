import { ImportPanel } from './ImportPanel.tsx';
import { STAY_IMPORT } from './useImport.ts';

/** Stays, from a spreadsheet. */
export function StayImportPanel() {
  return <ImportPanel title="Importer des séjours" texts={STAY_IMPORT} />;
}
