import { createContext, type ReactNode, type RefObject, useContext, useRef, useState } from 'react';
import { useAskPhotos, useListed, useMark, type Viewer } from '#features/photos/web/useStayPhotos.ts';
import type { ClientBody } from '#platform/shared/call.ts';
import { CallError, call } from '#platform/web/api.ts';
import { useUnsaved } from '#platform/web/ui/unsaved.ts';
import { AttestationDialog } from './AttestationDialog.tsx';

/** What is decided of photos, or corrected in them. */
export type Change = Omit<ClientBody<'PATCH /photos'>, 'ids' | 'repere'>;

interface Decisions {
  stageId: number;
  as: Viewer;
  /**
   * Has the server keep a decision, after the consents are confirmed where this is the first publication of the stay.
   * The answer is what to say, or undefined when they were not confirmed. Throws `CallError`.
   */
  decide(ids: readonly number[], change: Change): Promise<string | undefined>;
  /** Deletes photos for good; the answer is what to say. Throws `CallError`. */
  erase(ids: readonly number[]): Promise<string>;
  /** The hour of publication chosen last, on the clocks of the site; kept while the checking is closed. */
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

/** Around whatever decides on the photos of a stay. */
export function DecisionsProvider({ stageId, as, children }: DecisionsProviderProps) {
  const askPhotos = useAskPhotos(stageId, as);
  const markOf = useMark(stageId, as);
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
    const repere = markOf();
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
        // One that somebody deleted meanwhile must not hold the others.
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

/** Nobody has confirmed the consents of this stay yet. */
function isUnconfirmed(error: unknown): boolean {
  const { attestation } = (error instanceof CallError ? (error.answer ?? {}) : {}) as {
    attestation?: unknown;
  };
  return error instanceof CallError && error.status === 409 && attestation === true;
}
