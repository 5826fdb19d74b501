import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import type { ReplyOf } from '#platform/shared/call.ts';
import { call } from '#platform/web/api.ts';
import { useQuestion } from '#platform/web/questions.ts';
import { useSite } from '#platform/web/site.tsx';
import { Button } from '#platform/web/ui/Button.tsx';
import { LoadState } from '#platform/web/ui/LoadState.tsx';
import { useNotices } from '#platform/web/ui/notices.tsx';
import { useAction } from '#platform/web/ui/useForm.ts';

type Example = ReplyOf<'GET /exemple'>;

const POLL_MS = 1_000;

function isMoving(state: Example['etat'] | undefined): state is 'arrive' | 'part' {
  return state === 'arrive' || state === 'part';
}

export function useExample() {
  const answers = useQueryClient();
  const query = useQuestion(
    { key: 'GET /exemple' },
    {
      every: ({ etat }) => (isMoving(etat) ? POLL_MS : false),
    },
  );
  const state = query.data?.etat;
  const before = useRef(state);
  const site = useSite();
  const { run } = useAction();
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each change of its state
  useEffect(() => {
    if (isMoving(before.current) && !isMoving(state)) {
      // It adds to or removes from every list, and fills blank settings.
      answers.invalidateQueries();
      run(async () => {
        const settings = await call('GET /reglages', { query: { mot_de_passe: 'non' } });
        site.update({ organisation: settings.organisation_nom, jobOffersUrl: settings.offres_emploi_url });
      }, 'Erreur lors de la récupération des réglages');
    }
    before.current = state;
  }, [state]);
  return query;
}

export function ExampleContent({ query }: { query: ReturnType<typeof useExample> }) {
  return (
    <LoadState query={query} failed="L’état du contenu d’exemple n’a pas pu être chargé.">
      {(example) => <ExampleState example={example} onChanged={() => query.refetch()} />}
    </LoadState>
  );
}

function ExampleState({ example, onChanged }: { example: Example; onChanged(): void }) {
  const { etat, en_place, total, erreur } = example;
  const { say } = useNotices();
  const { isBusy, run } = useAction();
  const change = (key: 'POST /exemple' | 'DELETE /exemple') => async () => {
    say((await call(key, {})).message);
    onChanged();
  };
  const put = () => run(change('POST /exemple'), 'Erreur lors de la mise en place du contenu d’exemple');
  const take = () =>
    run(change('DELETE /exemple'), 'Erreur lors du retrait du contenu d’exemple', {
      question: 'Retirer tout le contenu d’exemple\u202f?',
      consequence:
        'Ce que vous avez modifié va dans la corbeille, le reste est effacé. Restent en place vos propres contenus et réglages, et les séjours, directeurs et livrets que vous avez modifiés.',
      yes: 'Retirer',
    });

  if (isMoving(etat)) {
    return (
      <div>
        <p>
          {etat === 'arrive' ? 'Le contenu d’exemple arrive' : 'Le contenu d’exemple part'}
          {'\u202f'}: {en_place} sur {total}.
        </p>
        <progress className="bar" max={total} value={en_place} aria-label="Contenu d’exemple en place" />
        {erreur && <p className="text-coral">{erreur}</p>}
      </div>
    );
  }
  return (
    <div>
      <p>{SAID[etat]}</p>
      {erreur && <p className="mt-2 text-coral">{erreur}</p>}
      <div className="mt-3 flex flex-wrap gap-3">
        {etat !== 'present' && (
          <Button quiet aria-disabled={isBusy} onClick={put}>
            {etat === 'absent' ? 'Mettre le contenu d’exemple' : 'Reprendre la mise en place'}
          </Button>
        )}
        {etat !== 'absent' && (
          <Button danger aria-disabled={isBusy} onClick={take}>
            Retirer le contenu d’exemple
          </Button>
        )}
      </div>
    </div>
  );
}

const SAID: Record<Exclude<Example['etat'], 'arrive' | 'part'>, string> = {
  absent:
    'Pour voir le site vivant, mettez-y un contenu d’exemple\u202f: actualités, événements, avantages, comptes rendus, organigramme, séjours… Les réglages restés vides, comme le nom et les adresses des mentions légales, sont remplis aussi. Il se retire d’un clic.',
  present:
    'Le contenu d’exemple est en place. Tout y est inventé, jusqu’aux réglages qu’il a remplis\u202f: retirez-le avant d’ouvrir le site.',
  interrompu: 'Le contenu d’exemple n’est là qu’en partie.',
};
