import type { ReplyOf } from '#platform/shared/call.ts';
import { useQuestion } from '#platform/web/questions.ts';
import { LoadState } from '#platform/web/ui/LoadState.tsx';
import { Instant } from '#platform/web/ui/Time.tsx';
import type { HealthPart } from '../calls.ts';
import { Attention } from './HomePanel.tsx';

export function HealthPanel() {
  const query = useQuestion({ key: 'GET /tableau-de-bord' });
  return (
    <div className="max-w-3xl">
      <h1 className="mb-6">Santé du site</h1>
      <LoadState query={query} failed="L’état du site n’a pas pu être chargé.">
        {({ sante, alertes, horloge }) => (
          <div className="flex flex-col gap-10">
            <Attention alerts={alertes} doubtfulDay={horloge} onConfirmed={() => query.refetch()} />
            <Health health={sante} />
          </div>
        )}
      </LoadState>
    </div>
  );
}

/** Words and colours of the states; no state is told by its colour alone. */
const STATES: Record<HealthPart['etat'], { words: string; className: string }> = {
  bon: { words: 'Tout va bien', className: 'border border-moss' },
  surveiller: { words: 'À surveiller', className: 'bg-sun text-on-sun' },
  traiter: { words: 'À traiter', className: 'border border-coral text-coral' },
};

interface HealthProps {
  health: ReplyOf<'GET /tableau-de-bord'>['sante'];
}

export function Health({ health: { parties, version, depuis } }: HealthProps) {
  return (
    <div className="card px-5 py-2 sm:px-6">
      <dl className="divide-y divide-mist">
        {parties.map(({ nom, etat, fait, conseil }) => (
          <div key={nom} className="py-3">
            <dt className="flex flex-wrap items-center justify-between gap-x-4">
              <span className="font-semibold">{nom}</span>
              <span className={`rounded-full px-3 text-sm font-semibold ${STATES[etat].className}`}>
                {STATES[etat].words}
              </span>
            </dt>
            <dd className="text-quiet">{fait}</dd>
            {conseil && <dd>{conseil}</dd>}
          </div>
        ))}
      </dl>
      <p className="border-t border-mist py-3 text-sm text-quiet">
        Version {version}, en service depuis le <Instant value={depuis} />
      </p>
    </div>
  );
}
