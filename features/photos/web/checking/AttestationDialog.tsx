import { type FormEvent, useId, useState } from 'react';
import { ATTESTATION } from '#features/photos/shared/terms.ts';
import type { Viewer } from '#features/photos/web/useStayPhotos.ts';
import { CallError, call } from '#platform/web/api.ts';
import { FieldError } from '#platform/web/ui/Field.tsx';
import { FormButtons } from '#platform/web/ui/FormButtons.tsx';
import { useModal } from '#platform/web/ui/useModal.ts';
import { useConsents } from './consents.ts';

interface AttestationDialogProps {
  stageId: number;
  as: Viewer;
  onAnswer(isConfirmed: boolean): void;
}

/** Before the first publication of a stay: whoever publishes confirms that families were asked. */
export function AttestationDialog({ stageId, as, onAnswer }: AttestationDialogProps) {
  const modal = useModal(() => onAnswer(false));
  const id = useId();
  const [isTicked, setTicked] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<string>();
  const onSubmit = async (event: FormEvent) => {
    event.preventDefault();
    if (isBusy) return;
    if (!isTicked) return setError('cochez la case pour confirmer.');
    setBusy(true);
    try {
      await call('POST /stages/:id/attestation', { as, params: { id: stageId } });
      onAnswer(true);
    } catch (failure) {
      setBusy(false);
      if (!(failure instanceof CallError)) throw failure;
      setError(failure.message);
    }
  };
  return (
    <dialog {...modal} aria-labelledby={id} className="dialog max-w-lg">
      <h2 id={id} className="text-xl">
        Première publication de ce séjour
      </h2>
      <Consents stageId={stageId} as={as} />
      <form onSubmit={onSubmit} noValidate>
        <label className="mt-4 flex min-h-11 items-start gap-3 rounded-[10px] bg-mist p-4 font-semibold">
          <input
            type="checkbox"
            className="mt-1 size-5 shrink-0"
            data-first-focus
            checked={isTicked}
            aria-invalid={error !== undefined}
            aria-describedby={error ? `${id}-error` : undefined}
            onChange={({ target }) => {
              setTicked(target.checked);
              setError(undefined);
            }}
          />
          {ATTESTATION}
        </label>
        <div role="alert" className="mt-2">
          <FieldError id={`${id}-error`} error={error} />
        </div>
        <p className="mt-2 text-sm text-quiet">
          Cette confirmation est gardée avec son heure ; elle n’est demandée qu’une fois par séjour.
        </p>
        <div className="mt-5">
          <FormButtons
            yes="Confirmer et publier"
            busy="Publication…"
            isBusy={isBusy}
            isIncomplete={!isTicked}
            onCancel={() => onAnswer(false)}
          />
        </div>
      </form>
    </dialog>
  );
}

const COUNTED = [
  { consent: 'oui', one: 'accord donné', many: 'accords donnés' },
  { consent: 'non', one: 'refus', many: 'refus' },
  { consent: 'inconnu', one: 'accord inconnu', many: 'accords inconnus' },
] as const;

/** How many children there are by what their families said. */
function Consents({ stageId, as }: { stageId: number; as: Viewer }) {
  const { children } = useConsents(stageId, as);
  if (!children) return null;
  if (children.length === 0) {
    return <p className="mt-3">Aucun enfant n’est inscrit à ce séjour{'\u202f'}: aucun accord n’est noté.</p>;
  }
  return (
    <dl className="mt-4 grid grid-cols-3 gap-2 text-center">
      {COUNTED.map(({ consent, one, many }) => {
        const count = children.filter((child) => child.consent === consent).length;
        const isWorrying = consent !== 'oui' && count > 0;
        return (
          <div
            key={consent}
            className="flex flex-col-reverse justify-end rounded-[10px] border border-mist px-1 py-2"
          >
            <dt className="text-sm">{count > 1 ? many : one}</dt>
            <dd className={`text-2xl font-bold ${isWorrying ? 'text-coral' : 'text-pine'}`}>{count}</dd>
          </div>
        );
      })}
    </dl>
  );
}
