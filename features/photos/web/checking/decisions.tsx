import { CameraOff, ChevronDown } from 'lucide-react';
import {
  createContext,
  type FormEvent,
  type ReactNode,
  type RefObject,
  useContext,
  useId,
  useRef,
  useState,
} from 'react';
import { ATTESTATION } from '#features/photos/shared/terms.ts';
import { useAskPhotos, useCursor, useListed } from '#features/photos/web/useStayPhotos.ts';
import type { Consent } from '#features/stays/shared/terms.ts';
import type { Viewer } from '#features/stays/web/sessions.ts';
import { childrenQuestion } from '#features/stays/web/stays.ts';
import type { ClientBody, ReplyOf } from '#platform/shared/call.ts';
import { CallError, call } from '#platform/web/api.ts';
import { useQuestion } from '#platform/web/questions.ts';
import { useSite } from '#platform/web/site.tsx';
import { useModal } from '#platform/web/ui/dialogs.tsx';
import { FieldError, FormButtons } from '#platform/web/ui/Field.tsx';
import { useUnsaved } from '#platform/web/ui/unsaved.ts';

/** A decision on photos, or a correction of their data. */
export type Change = Omit<ClientBody<'PATCH /photos'>, 'ids' | 'repere'>;

/** The outcome of a check. */
export type Verdict = Change & { statut: 'publiee' | 'refusee' };

interface Decisions {
  stageId: number;
  as: Viewer;
  /**
   * Sends a decision to the server; for the first publication of the stay, asks to confirm the consents. Resolves to
   * the message to show, or to undefined when the consents were not confirmed. Throws `CallError`.
   */
  decide(ids: readonly number[], change: Change): Promise<string | undefined>;
  /** Deletes photos for good; resolves to the message to show. Throws `CallError`. */
  erase(ids: readonly number[]): Promise<string>;
  /** Publication time chosen last, in the time zone of the site; kept while the checking screen is closed. */
  lastTime: RefObject<string>;
}

const DecisionsContext = createContext<Decisions | undefined>(undefined);

export function useDecisions(): Decisions {
  const decisions = useContext(DecisionsContext);
  if (!decisions) throw new Error('no DecisionsProvider above');
  return decisions;
}

interface DecisionsProviderProps {
  stageId: number;
  as: Viewer;
  children: ReactNode;
}

/** Provides `useDecisions` to the components that decide on the photos of a stay. */
export function DecisionsProvider({ stageId, as, children }: DecisionsProviderProps) {
  const askPhotos = useAskPhotos(stageId, as);
  const readCursor = useCursor(stageId, as);
  const listedNow = useListed(stageId, as);
  const [sending, setSending] = useState(0);
  const lastTime = useRef('');
  const [asked, setAsked] = useState<{ answer(isConfirmed: boolean): void }>();
  /** Shared by all publications that wait for it. */
  const confirmation = useRef<Promise<boolean>>(undefined);
  useUnsaved(sending > 0, 'Des décisions ne sont pas encore enregistrées.');

  function confirmConsents(): Promise<boolean> {
    confirmation.current ??= new Promise<boolean>((resolve) => {
      const answer = (isConfirmed: boolean) => {
        confirmation.current = undefined;
        setAsked(undefined);
        resolve(isConfirmed);
      };
      setAsked({ answer });
    });
    return confirmation.current;
  }

  async function track<T>(work: () => Promise<T>): Promise<T> {
    setSending((count) => count + 1);
    try {
      return await work();
    } finally {
      setSending((count) => count - 1);
      await askPhotos();
    }
  }

  async function send(ids: readonly number[], change: Change): Promise<string | undefined> {
    const repere = readCursor();
    const body = { ids: [...ids], ...change, ...(repere && { repere }) };
    const ask = () => call('PATCH /photos', { as, body });
    try {
      return (await ask()).message;
    } catch (error) {
      if (!isUnconfirmed(error)) throw error;
      return (await confirmConsents()) ? (await ask()).message : undefined;
    }
  }

  const decide: Decisions['decide'] = (ids, change) =>
    track(async () => {
      try {
        return await send(ids, change);
      } catch (error) {
        if (!(error instanceof CallError) || error.status !== 404) throw error;
        // A photo that somebody deleted meanwhile must not block the others.
        await askPhotos();
        const listed = listedNow();
        const there = ids.filter((id) => listed.has(id));
        if (there.length === ids.length) throw error;
        return there.length > 0 ? send(there, change) : error.message;
      }
    });
  const erase: Decisions['erase'] = (ids) =>
    track(async () => (await call('POST /photos/supprimer', { as, body: { ids: [...ids] } })).message);

  return (
    <DecisionsContext value={{ stageId, as, decide, erase, lastTime }}>
      {children}
      {asked && <AttestationDialog stageId={stageId} as={as} onAnswer={asked.answer} />}
    </DecisionsContext>
  );
}

/** True when the server refused because nobody has confirmed the consents of this stay yet. */
function isUnconfirmed(error: unknown): boolean {
  const { attestation } = (error instanceof CallError ? (error.answer ?? {}) : {}) as {
    attestation?: unknown;
  };
  return error instanceof CallError && error.status === 409 && attestation === true;
}

interface AttestationDialogProps {
  stageId: number;
  as: Viewer;
  onAnswer(isConfirmed: boolean): void;
}

/** Dialog before the first publication of a stay: the person publishing confirms that the families were asked. */
function AttestationDialog({ stageId, as, onAnswer }: AttestationDialogProps) {
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

/** Number of children by the consent of their family. */
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

/** A child as shown to the person who checks photos. */
interface ConsentedChild {
  id: number;
  /** « Lou R. » */
  name: string;
  consent: Consent;
}

/** The children of a stay with the photo consent of their family, sorted by first name. */
function useConsents(stageId: number, as: Viewer) {
  const { locale } = useSite();
  const query = useQuestion(childrenQuestion(stageId, as), 'Erreur lors de la récupération des enfants:');
  const children = query.data?.map(childOf).sort((one, other) => one.name.localeCompare(other.name, locale));
  return { children, isError: query.isError, retry: () => void query.refetch() };
}

function childOf(child: ReplyOf<'GET /get-stagiaires/:id'>[number]): ConsentedChild {
  // Staff receive the whole last name; only its initial is needed here.
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
