import { CameraOff, ChevronDown } from 'lucide-react';
import { type FormEvent, useId, useState } from 'react';
import { ATTESTATION } from '#features/photos/shared/terms.ts';
import type { Viewer } from '#features/stays/web/sessions.ts';
import { childrenQuestion } from '#features/stays/web/stays.ts';
import type { ReplyOf } from '#platform/shared/call.ts';
import { CallError, call } from '#platform/web/api.ts';
import { useQuestion } from '#platform/web/questions.ts';
import { useSite } from '#platform/web/site.tsx';
import { Button } from '#platform/web/ui/Button.tsx';
import { useModal } from '#platform/web/ui/dialogs.tsx';
import { FormButtons } from '#platform/web/ui/Field.tsx';
import { FieldError } from '#platform/web/ui/FieldError.tsx';

/* What the families of a stay said about photos of their children, as shown to those who decide on photos. */

interface AttestationDialogProps {
  stageId: number;
  as: Viewer;
  onAnswer(isConfirmed: boolean): void;
}

const BLIND = 'Je publie sans liste d’enfants\u202f: le site ne peut me montrer aucun refus';

/** Dialog before the first publication of a stay: the person publishing confirms that the families were asked. */
export function AttestationDialog({ stageId, as, onAnswer }: AttestationDialogProps) {
  const modal = useModal(() => onAnswer(false));
  const id = useId();
  const { children } = useConsents(stageId, as);
  const isNobodyListed = children?.length === 0;
  const sentences = isNobodyListed ? [ATTESTATION, BLIND] : [ATTESTATION];
  const [ticked, setTicked] = useState<readonly string[]>([]);
  const isConfirmed = sentences.every((sentence) => ticked.includes(sentence));
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<string>();
  const onSubmit = async (event: FormEvent) => {
    event.preventDefault();
    if (isBusy) return;
    if (!isConfirmed)
      return setError(isNobodyListed ? 'cochez les deux cases.' : 'cochez la case pour confirmer.');
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
        {sentences.map((sentence) => (
          <label
            key={sentence}
            className={`flex min-h-11 items-start gap-3 rounded-control p-4 font-semibold ${sentence === BLIND ? 'mt-3 border-2 border-coral' : 'mt-4 bg-mist'}`}
          >
            <input
              type="checkbox"
              className="mt-1 size-5 shrink-0"
              data-first-focus={sentence === ATTESTATION || undefined}
              checked={ticked.includes(sentence)}
              aria-invalid={error !== undefined && !ticked.includes(sentence)}
              aria-describedby={error ? `${id}-error` : undefined}
              onChange={({ target }) => {
                const others = ticked.filter((one) => one !== sentence);
                setTicked(target.checked ? [...others, sentence] : others);
                setError(undefined);
              }}
            />
            {sentence}
          </label>
        ))}
        <div role="alert" aria-live="assertive" className="mt-2">
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
            isIncomplete={!isConfirmed}
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

function Consents({ stageId, as }: { stageId: number; as: Viewer }) {
  const { children } = useConsents(stageId, as);
  if (!children) return null;
  if (children.length === 0) {
    return (
      <p className="mt-3">
        Aucun enfant n’est inscrit à ce séjour sur le site{'\u202f'}: aucun accord n’y est noté, et aucun
        refus de famille ne peut vous être montré pendant que vous vérifiez les photos.
      </p>
    );
  }
  return (
    <dl className="mt-4 grid grid-cols-3 gap-2 text-center">
      {COUNTED.map(({ consent, one, many }) => {
        const count = children.filter((child) => child.consent === consent).length;
        const isWorrying = consent !== 'oui' && count > 0;
        return (
          <div
            key={consent}
            className="flex flex-col-reverse justify-end rounded-control border border-mist px-1 py-2"
          >
            <dt className="text-sm">{count > 1 ? many : one}</dt>
            <dd className={`text-2xl font-bold ${isWorrying ? 'text-coral' : 'text-pine'}`}>{count}</dd>
          </div>
        );
      })}
    </dl>
  );
}

function useConsents(stageId: number, as: Viewer) {
  const { locale } = useSite();
  const query = useQuestion(childrenQuestion(stageId, as));
  const children = query.data?.map(childOf).sort((one, other) => one.name.localeCompare(other.name, locale));
  return { children, isError: query.isError, retry: () => void query.refetch() };
}

function childOf(child: ReplyOf<'GET /get-stagiaires/:id'>[number]) {
  // « Lou R. »: staff receive the whole last name, of which only the initial is needed here.
  const initial = 'initiale' in child ? child.initiale : child.nom.charAt(0);
  return { id: child.id, name: `${child.prenom} ${initial}.`, consent: child.consentement_image };
}

const GROUPS = [
  { consent: 'non', title: 'Refus de la famille' },
  { consent: 'inconnu', title: 'Accord inconnu' },
] as const;

/** The children who must not be recognisable in a photo; on a phone, their names are in one line that unfolds. */
export function WithoutConsent({ stageId, as }: { stageId: number; as: Viewer }) {
  const { children, isError, retry } = useConsents(stageId, as);
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  if (isError && !children) {
    return (
      <div role="alert" aria-live="assertive" className="flex flex-wrap items-center gap-x-3 text-coral">
        <p className="font-semibold">Les accords des familles n’ont pas pu être chargés.</p>
        <Button quiet onClick={retry}>
          Réessayer
        </Button>
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
        <CameraOff className="size-5 shrink-0 text-coral" />
        <span className="min-w-0 grow truncate text-sm">
          <strong>À ne pas montrer ({hidden.length})</strong> {hidden.map(({ name }) => name).join(', ')}
        </span>
        <ChevronDown className={`size-5 shrink-0 transition-transform ${isOpen ? 'rotate-180' : ''}`} />
      </button>
      <h3 id={id} className="hidden items-center gap-2 lg:flex">
        <CameraOff className="size-5 shrink-0 text-coral" />À ne pas montrer ({hidden.length})
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
