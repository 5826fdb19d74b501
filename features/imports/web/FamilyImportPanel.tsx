import { ImportPanel } from './ImportPanel.tsx';
import { FAMILY_IMPORT } from './useImport.ts';

/** Children of stays and the addresses of their families, from a spreadsheet. */
export function FamilyImportPanel() {
  return <ImportPanel title="Importer des familles" texts={FAMILY_IMPORT} />;
}
