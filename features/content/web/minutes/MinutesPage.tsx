import { useQueryClient } from '@tanstack/react-query';
import { useDeferredValue, useState } from 'react';
import { askedWords } from '#platform/shared/fold.ts';
import { CallError } from '#platform/web/api.ts';
import { useQuestion } from '#platform/web/questions.ts';
import { useIsSignedIn } from '#platform/web/session.ts';
import { Drawing } from '#platform/web/ui/Drawing.tsx';
import { AccessForm } from './AccessForm.tsx';
import { MinutesList } from './MinutesList.tsx';
import { SearchField } from './SearchField.tsx';

/** The minutes, behind their password; whoever has a token that opens them need not type it. */
export function MinutesPage() {
  const answers = useQueryClient();
  const isSignedIn = useIsSignedIn('reader');
  const [isJustOpened, setJustOpened] = useState(false);
  const [text, setText] = useState('');
  const asked = useDeferredValue(text.trim());
  const words = askedWords(asked);
  const query = useQuestion(
    { key: 'GET /documents', query: words.length > 0 ? { recherche: asked } : {}, as: 'reader' },
    'Erreur lors de la récupération des documents:',
    { isAsked: isSignedIn, keepsLast: true },
  );
  const status = query.error instanceof CallError ? query.error.status : undefined;

  if (!isSignedIn || status === 401) {
    return (
      <div className="flex grow flex-col">
        <Drawing name="horizon" className="h-[clamp(8.5rem,22vw,24vh)] w-full" />
        <div className="page -mt-16 max-w-md">
          <div className="card p-6 sm:p-8">
            <h1 className="text-3xl">Comptes rendus</h1>
            <p className="mt-2 mb-6 text-quiet">
              Réservés aux salariés, avec le mot de passe que le CSE vous a donné.
            </p>
            <AccessForm
              hasEnded={isSignedIn}
              onOpened={() => {
                setJustOpened(true);
                void answers.resetQueries();
              }}
            />
          </div>
        </div>
      </div>
    );
  }
  return (
    <div className="page max-w-4xl">
      <h1>Comptes rendus</h1>
      {!(text === '' && query.data?.length === 0) && (
        <SearchField text={text} onText={setText} takesFocus={isJustOpened} />
      )}
      <MinutesList query={query} asked={asked} words={words} />
    </div>
  );
}
