import { CameraOff, ChevronDown } from 'lucide-react';
import { useId, useState } from 'react';
import type { Viewer } from '#features/photos/web/useStayPhotos.ts';
import { useConsents } from './consents.ts';

const GROUPS = [
  { consent: 'non', title: 'Refus de la famille' },
  { consent: 'inconnu', title: 'Accord inconnu' },
] as const;

/** The children who must not be recognised on a photo; on a phone their names in one line, which unfolds. */
export function WithoutConsent({ stageId, as }: { stageId: number; as: Viewer }) {
  const { children, isError, retry } = useConsents(stageId, as);
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  if (isError && !children) {
    return (
      <div role="alert" className="flex flex-wrap items-center gap-x-3 text-coral">
        <p className="font-semibold">Les accords des familles n’ont pas pu être chargés.</p>
        <button type="button" className="button quiet" onClick={retry}>
          Réessayer
        </button>
      </div>
    );
  }
  if (!children) return <p className="text-quiet">Chargement des accords des familles…</p>;
  const hidden = children.filter(({ consent }) => consent !== 'oui');
  if (hidden.length === 0) {
    const said =
      children.length === 0
        ? 'Aucun enfant n’est inscrit à ce séjour.'
        : 'Toutes les familles ont donné leur accord.';
    return <p className="py-2 text-sm lg:text-base">{said}</p>;
  }
  return (
    <section aria-labelledby={id}>
      <button
        type="button"
        className="flex min-h-11 w-full items-center gap-2 text-left lg:hidden"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        <CameraOff aria-hidden="true" className="size-5 shrink-0 text-coral" />
        <span className="min-w-0 grow truncate text-sm">
          <strong>À ne pas montrer ({hidden.length})</strong> {hidden.map(({ name }) => name).join(', ')}
        </span>
        <ChevronDown
          aria-hidden="true"
          className={`size-5 shrink-0 transition-transform ${isOpen ? 'rotate-180' : ''}`}
        />
      </button>
      <h3 id={id} className="hidden items-center gap-2 lg:flex">
        <CameraOff aria-hidden="true" className="size-5 shrink-0 text-coral" />À ne pas montrer (
        {hidden.length})
      </h3>
      <div className={`${isOpen ? '' : 'max-lg:hidden'} max-lg:max-h-[35dvh] max-lg:overflow-y-auto`}>
        {GROUPS.map(({ consent, title }) => {
          const names = hidden.filter((child) => child.consent === consent);
          if (names.length === 0) return null;
          return (
            <div key={consent} className="mt-2">
              <h4 className="text-sm font-semibold text-quiet">
                {title} ({names.length})
              </h4>
              <ul className="columns-[8rem] gap-x-4">
                {names.map((child) => (
                  <li key={child.id} className="break-inside-avoid py-0.5 wrap-anywhere">
                    {child.name}
                  </li>
                ))}
              </ul>
            </div>
          );
        })}
      </div>
    </section>
  );
}
