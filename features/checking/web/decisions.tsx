import { type FormEvent, type ReactNode, type RefObject, useId, useRef, useState } from 'react';
import { PHOTO_BIN_DAYS } from '#features/photos/shared/terms.ts';
import { useAskPhotos, useReadPhotos } from '#features/photos/web/useStayPhotos.ts';
import type { Viewer } from '#features/stays/web/sessions.ts';
import type { ClientBody } from '#platform/shared/call.ts';
import { CallError, call } from '#platform/web/api.ts';
import { createNeeded } from '#platform/web/needed.ts';
import { Button } from '#platform/web/ui/Button.tsx';
import { useConfirm, useModal, useUnsaved, type Wish } from '#platform/web/ui/dialogs.tsx';
import { TextArea } from '#platform/web/ui/Field.tsx';
import { UNFORESEEN, useNotices } from '#platform/web/ui/notices.tsx';
import { useAction } from '#platform/web/ui/useForm.ts';
import { AttestationDialog } from './consents.tsx';

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
  /** Makes another call that changes photos, as this viewer; the list follows. Throws `CallError`. */
  act: typeof call;
  /** Publication time chosen last, in the time zone of the site; kept while the checking screen is closed. */
  lastTime: RefObject<string>;
}

const [DecisionsContext, useDecisions] = createNeeded<Decisions>('DecisionsProvider');

export { useDecisions };

interface DecisionsProviderProps {
  stageId: number;
  as: Viewer;
  children: ReactNode;
}

export function DecisionsProvider({ stageId, as, children }: DecisionsProviderProps) {
  const askPhotos = useAskPhotos(stageId, as);
  const readPhotos = useReadPhotos(stageId, as);
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
    const repere = readPhotos()?.repere || undefined;
    let body: ClientBody<'PATCH /photos'> = { ids: [...ids], ...change, repere };
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
        const listed = new Set(readPhotos()?.photos.map(({ id }) => id));
        const there = ids.filter((id) => listed.has(id));
        if (there.length === ids.length) throw error;
        return there.length > 0 ? send(there, change) : error.message;
      }
    });
  const act: Decisions['act'] = (key, input) => track(() => call(key, { ...input, as }));

  return (
    <DecisionsContext value={{ stageId, as, decide, act, lastTime }}>
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

interface AnswerDialogProps {
  question: string;
  help: string;
  yes: string;
  isDanger?: boolean;
  /** Called with the answer to the families, which may be blank; undefined: nothing is decided. */
  answer(reponse: string | undefined): void;
}

/** Dialog before a decision on photos whose removal families asked for, with what these will read of it. */
export function AnswerDialog({ question, help, yes, isDanger = false, answer }: AnswerDialogProps) {
  const modal = useModal(() => answer(undefined));
  const id = useId();
  const [reponse, setReponse] = useState('');
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    answer(reponse.trim());
  };
  return (
    <dialog {...modal} role="alertdialog" aria-labelledby={id} className="dialog max-w-lg">
      <h2 id={id} className="text-xl leading-snug wrap-anywhere">
        {question}
      </h2>
      <form onSubmit={onSubmit} noValidate className="mt-4 flex flex-col gap-5">
        <TextArea
          label="Votre réponse à la famille"
          name="reponse"
          rows={2}
          maxLength={300}
          value={reponse}
          onType={setReponse}
          help={help}
        />
        <div className="flex flex-wrap gap-3">
          <button type="submit" className={`button ${isDanger ? 'danger' : ''}`}>
            {yes}
          </button>
          <Button quiet data-first-focus onClick={() => answer(undefined)}>
            Annuler
          </Button>
        </div>
      </form>
    </dialog>
  );
}

/** Returns a function that puts photos into the bin, and says so in a notice that takes it back. Throws `CallError`. */
export function useDiscard(): (ids: readonly number[]) => Promise<void> {
  const { act } = useDecisions();
  const { run } = useAction();
  const { say } = useNotices();
  return async (wanted) => {
    const body = { ids: [...wanted] };
    const putBack = async () => say((await act('POST /photos/retablir', { body })).message);
    const undo = () => run(putBack, 'Erreur lors du rétablissement des photos');
    const { message } = await act('POST /photos/supprimer', { body });
    say(message, { label: 'Annuler la mise à la corbeille', run: undo });
  };
}

/** Decisions by buttons, one at a time, whose outcome a notice says; `onDone`: once photos have changed. */
export function useDeciding(onDone = () => {}) {
  const { decide } = useDecisions();
  const discard = useDiscard();
  const { isBusy, run } = useAction();
  const { say } = useNotices();
  return {
    isBusy,
    change(ids: readonly number[], change: Change, failure: string, wish?: Wish): void {
      const work = async () => {
        const message = await decide(ids, change);
        if (message === undefined) return;
        say(message);
        onDone();
      };
      void run(work, failure, wish);
    },
    remove(ids: readonly number[], failure: string): void {
      const work = async () => {
        await discard(ids);
        onDone();
      };
      void run(work, failure, discardWish(ids.length));
    },
  };
}

export function discardWish(count: number): Wish {
  const [them, are] = count > 1 ? ['les', 'Elles restent'] : ['la', 'Elle reste'];
  return {
    question: `Mettre ${count > 1 ? `ces ${count} photos` : 'cette photo'} à la corbeille\u202f?`,
    consequence: `Les familles ne ${them} voient plus. ${are} ${PHOTO_BIN_DAYS} jours dans la corbeille, d’où vous pouvez ${them} rétablir.`,
    yes: 'Mettre à la corbeille',
  };
}

/** Runs one action at a time and keeps its outcome for display in place: notices of the page lie behind the dialog. */
export function useSaid() {
  const [said, setSaid] = useState<{ text: string; isFailure: boolean }>();
  const [isBusy, setBusy] = useState(false);
  const confirm = useConfirm();
  /** With `wish`, nothing is done unless the person confirms it. */
  async function run(work: () => Promise<unknown>, wish?: Wish): Promise<void> {
    if (isBusy || (wish && !(await confirm(wish)))) return;
    setBusy(true);
    setSaid(undefined);
    try {
      const text = await work();
      if (typeof text === 'string') setSaid({ text, isFailure: false });
    } catch (error) {
      setSaid({ text: error instanceof CallError ? error.message : UNFORESEEN, isFailure: true });
      if (!(error instanceof CallError)) throw error;
    } finally {
      setBusy(false);
    }
  }
  return { said, isBusy, run };
}
