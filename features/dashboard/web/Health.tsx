import type { HealthPart } from '#features/dashboard/calls.ts';
import type { ReplyOf } from '#platform/shared/call.ts';
import { Instant } from '#platform/web/ui/Time.tsx';

/** None is told by its colour alone. */
const STATES: Record<HealthPart['etat'], { words: string; look: string }> = {
  bon: { words: 'Tout va bien', look: 'border border-moss' },
  surveiller: { words: 'À surveiller', look: 'bg-sun text-on-sun' },
  traiter: { words: 'À traiter', look: 'border border-coral text-coral' },
};

interface HealthProps {
  health: ReplyOf<'GET /tableau-de-bord'>['sante'];
}

/** How the parts of the site are, what there is of each, and what there is to do. */
export function Health({ health: { parties, version, depuis } }: HealthProps) {
  return (
    <div className="card px-5 py-2 sm:px-6">
      <dl className="divide-y divide-mist">
        {parties.map(({ nom, etat, fait, conseil }) => (
          <div key={nom} className="py-3">
            <dt className="flex flex-wrap items-center justify-between gap-x-4">
              <span className="font-semibold">{nom}</span>
              <span className={`rounded-full px-3 text-sm font-semibold ${STATES[etat].look}`}>
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
