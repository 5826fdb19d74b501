import { useQuestion } from '#platform/web/questions.ts';
import { LoadState } from '#platform/web/ui/LoadState.tsx';
import { SettingsForm } from './SettingsForm.tsx';

/** What staff set for the whole site. */
export function SettingsPanel() {
  // Each answer shows a password and leaves a line in the journal: one a visit, and none is kept after it.
  const query = useQuestion({ key: 'GET /reglages' }, 'Erreur lors de la récupération des réglages:', {
    isFresh: true,
  });
  return (
    <div className="max-w-2xl">
      <h1 className="mb-6">Réglages</h1>
      <LoadState query={query} failed="Les réglages n’ont pas pu être chargés.">
        {(settings) => <SettingsForm settings={settings} />}
      </LoadState>
    </div>
  );
}
