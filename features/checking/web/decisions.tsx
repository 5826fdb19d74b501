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
import type { Photo } from '#features/photos/calls.ts';
import { ATTESTATION } from '#features/photos/shared/terms.ts';
import { useAskPhotos, useCursor, useListed } from '#features/photos/web/useStayPhotos.ts';
import type { Consent } from '#features/stays/shared/terms.ts';
import type { Viewer } from '#features/stays/web/sessions.ts';
import { childrenQuestion } from '#features/stays/web/stays.ts';
import type { ClientBody, ReplyOf } from '#platform/shared/call.ts';
import { CallError, call } from '#platform/web/api.ts';
import { useQuestion } from '#platform/web/questions.ts';
import { useSite } from '#platform/web/site.tsx';
import { Button } from '#platform/web/ui/Button.tsx';
import { useModal } from '#platform/web/ui/dialogs.tsx';
import { FormButtons } from '#platform/web/ui/Field.tsx';
import { FieldError } from '#platform/web/ui/FieldError.tsx';
import { useUnsaved } from '#platform/web/ui/unsaved.ts';
import { AnswerDialog, type AnswerDialogProps } from './AnswerDialog.tsx';

export type Change = Omit<ClientBody<'PATCH /photos'>, 'ids' | 'repere'>;

export type Verdict = Change & { statut: 'publiee' | 'refusee' };

interface Decisions {
  stageId: number;
  as: Viewer;
  /**
   * Sends a decision to the server; for the first publication of the stay, asks to confirm the consents, and for photos
   * whose removal families asked for, whether to show them all the same. Resolves to the message to show, or to undefined
   * when one of these was not confirmed. Throws `CallError`.
   */
  decide(ids: readonly number[], change: Change): Promise<string | undefined>;
  /** Puts photos into the bin; resolves to the message to show, as the next three. Throws `CallError`. */
  discard(ids: readonly number[]): Promise<string>;
  /** Takes photos out of the bin: they are to be checked. Throws `CallError`. */
  putBack(ids: readonly number[]): Promise<string>;
  /** Lets the site erase photos of the bin that wait for staff. Throws `CallError`. */
  confirm(ids: readonly number[]): Promise<string>;
  /** Erases photos for good, for staff who prove who they are. Throws `CallError`. */
  erase(ids: readonly number[]): Promise<string>;
  /** Puts photos of a day right before another one of it, at its end for null. Throws `CallError`. */
  move(jour: string, ids: readonly number[], avant: number | null): Promise<string>;
  /** Puts the photos of a day back in the order in which they were taken. Throws `CallError`. */
  resetOrder(jour: string): Promise<string>;
  /** Turns a photo, or blurs zones of it; resolves to the message to show, as the next two. Throws `CallError`. */
  retouch(photo: Photo, wanted: Omit<ClientBody<'POST /photos/:id/retouche'>, 'fichier'>): Promise<string>;
  /** Gives a photo back as it was before it was blurred last, for staff; `n`: what was kept of it. Throws `CallError`. */
  unblur(photo: Photo, n: number): Promise<string>;
  /** Lets the site erase what photos were before directors blurred them. Throws `CallError`. */
  keepBlurred(ids: readonly number[]): Promise<string>;
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
  const [objection, setObjection] = useState<Objection>();
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
    let body: ClientBody<'PATCH /photos'> = { ids: [...ids], ...change, repere: repere || undefined };
    for (;;) {
      try {
        return (await call('PATCH /photos', { as, body })).message;
      } catch (error) {
        const { attestation, demandes } = whatIsUnconfirmed(error);
        if (attestation) {
          if (!(await confirmConsents())) return undefined;
        } else if (demandes && error instanceof CallError) {
          const reponse = await askInSpite(error.message);
          if (reponse === undefined) return undefined;
          body = { ...body, malgre_demandes: true, reponse: reponse || body.reponse };
        } else throw error;
      }
    }
  }

  /** Asks whether to show photos in spite of requests; resolves to the answer to the families, undefined for a no. */
  function askInSpite(question: string): Promise<string | undefined> {
    return new Promise((resolve) => {
      setObjection({
        question,
        answer: (reponse) => {
          setObjection(undefined);
          resolve(reponse);
        },
      });
    });
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
  const onAll =
    (key: `POST /photos/${'supprimer' | 'retablir' | 'confirmer' | 'effacer' | 'garder-floutees'}`) =>
    (ids: readonly number[]) =>
      track(async () => (await call(key, { as, body: { ids: [...ids] } })).message);
  const acts = {
    discard: onAll('POST /photos/supprimer'),
    putBack: onAll('POST /photos/retablir'),
    confirm: onAll('POST /photos/confirmer'),
    erase: onAll('POST /photos/effacer'),
    keepBlurred: onAll('POST /photos/garder-floutees'),
  };
  const orderOf = (date: string) => ({ as, params: { id: stageId, date } });
  const move: Decisions['move'] = (jour, ids, avant) =>
    track(async () => {
      const body = { ids: [...ids], avant };
      return (await call('POST /stages/:id/jours/:date/ordre', { ...orderOf(jour), body })).message;
    });
  const resetOrder: Decisions['resetOrder'] = (jour) =>
    track(async () => (await call('DELETE /stages/:id/jours/:date/ordre', orderOf(jour))).message);

  const retouch: Decisions['retouch'] = ({ id, fichiers }, wanted) =>
    track(async () => {
      const body = { fichier: fichiers?.w320 ?? '', ...wanted };
      return (await call('POST /photos/:id/retouche', { as, params: { id }, body })).message;
    });
  const unblur: Decisions['unblur'] = ({ id, fichiers }, n) =>
    track(async () => {
      const body = { fichier: fichiers?.w320 ?? '' };
      return (await call('POST /photos/:id/avant/:n', { as, params: { id, n }, body })).message;
    });

  return (
    <DecisionsContext value={{ stageId, as, decide, ...acts, move, resetOrder, retouch, unblur, lastTime }}>
      {children}
      {asked && <AttestationDialog stageId={stageId} as={as} onAnswer={asked.answer} />}
      {objection && (
        <AnswerDialog
          {...objection}
          help="La famille qui l’a demandé lira sur sa page que la photo reste visible, et cette réponse. Ne nommez pas d’enfant."
          yes="Montrer"
          isDanger
        />
      )}
    </DecisionsContext>
  );
}

/** What somebody has to confirm before the server accepts a decision: the consents of the stay, or requests of families. */
function whatIsUnconfirmed(error: unknown): { attestation?: boolean; demandes?: number } {
  return error instanceof CallError && error.status === 409 ? (error.answer ?? {}) : {};
}

/** In the server's words: which photos, when, why. Undefined for an answer: the photos are not shown. */
type Objection = Pick<AnswerDialogProps, 'question' | 'answer'>;

interface AttestationDialogProps {
  stageId: number;
  as: Viewer;
  onAnswer(isConfirmed: boolean): void;
}

/** Dialog before the first publication of a stay: the person publishing confirms that the families were asked. */
function AttestationDialog({ stageId, as, onAnswer }: AttestationDialogProps) {
  const modal = useModal(() => onAnswer(false));
  const id = useId();
  const { children } = useConsents(stageId, as);
  const isNobodyListed = children?.length === 0;
  const [isTicked, setTicked] = useState(false);
  const [isBlindTicked, setBlindTicked] = useState(false);
  const isConfirmed = isTicked && (!isNobodyListed || isBlindTicked);
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
        <label className="mt-4 flex min-h-11 items-start gap-3 rounded-control bg-mist p-4 font-semibold">
          <input
            type="checkbox"
            className="mt-1 size-5 shrink-0"
            data-first-focus
            checked={isTicked}
            aria-invalid={error !== undefined && !isTicked}
            aria-describedby={error ? `${id}-error` : undefined}
            onChange={({ target }) => {
              setTicked(target.checked);
              setError(undefined);
            }}
          />
          {ATTESTATION}
        </label>
        {isNobodyListed && (
          <label className="mt-3 flex min-h-11 items-start gap-3 rounded-control border-2 border-coral p-4 font-semibold">
            <input
              type="checkbox"
              className="mt-1 size-5 shrink-0"
              checked={isBlindTicked}
              aria-invalid={error !== undefined && !isBlindTicked}
              aria-describedby={error ? `${id}-error` : undefined}
              onChange={({ target }) => {
                setBlindTicked(target.checked);
                setError(undefined);
              }}
            />
            Je publie sans liste d’enfants{'\u202f'}: le site ne peut me montrer aucun refus
          </label>
        )}
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
