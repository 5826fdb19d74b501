import { FileText } from 'lucide-react';
import { Link } from 'react-router';
import { minutes } from '#features/content/shared/kinds.ts';
import { panelAddress } from '#platform/web/portal.ts';
import { CollectionPanel } from './CollectionPanel.tsx';

/** Minutes of meetings. */
export function MinutesPanel() {
  return (
    <CollectionPanel
      kind={minutes}
      creation="Ajouter un compte rendu"
      removal="Supprimer un compte rendu"
      failure="Erreur lors de la récupération des documents:"
      failed="Les comptes rendus n’ont pas pu être chargés."
      empty="Il n’y a pas encore de compte rendu."
      show={({ url }) => (
        <p>
          <a className="button quiet" href={`/api/${minutes.folder}/${url}`} target="_blank" rel="noopener">
            <FileText aria-hidden="true" className="size-5" />
            Voir le PDF
            <span className="sr-only"> (nouvel onglet)</span>
          </a>
        </p>
      )}
    >
      <p className="well mt-12">
        Les salariés lisent les comptes rendus avec un mot de passe, qui se voit et se change dans les{' '}
        <Link to={panelAddress('reglages')}>Réglages</Link>.
      </p>
    </CollectionPanel>
  );
}
