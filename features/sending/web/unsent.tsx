import { type ComponentType, useEffect, useSyncExternalStore } from 'react';
import {
  forgetAllTokens,
  heldTokens,
  SIGNED_OUT_ADDRESS,
  type StaySession,
  useStays,
} from '#features/stays/web/sessions.ts';
import { CallError, call } from '#platform/web/api.ts';
import { useLeave } from '#platform/web/portal.ts';
import { createListeners } from '#platform/web/session.ts';
import { useConfirm, useConfirmLeaving } from '#platform/web/ui/dialogs.tsx';
import { useNotices } from '#platform/web/ui/notices.tsx';
import { countUnsent, dropPhotos, listQueues, queueName } from './keptUploads.ts';

/* What every page knows of the photos that have not arrived: it goes on sending them, and asks before they are forgotten. */

/** The bar about photos that leave, handed over by the code that sends them: pages from which none leaves load none. */
let Bar: ComponentType | undefined;
const { tell, subscribe } = createListeners();

export function showInFrame(component: ComponentType): void {
  Bar = component;
  tell();
}

/** The place of that bar in the frame of pages. */
export function FrameBar() {
  useUnsentPhotos();
  const Shown = useSyncExternalStore(
    subscribe,
    () => Bar,
    () => undefined,
  );
  return Shown && <Shown />;
}

/** Goes on sending what earlier pages left unsent, for the directors of this device, on whatever page they are. */
function useUnsentPhotos(): void {
  const directed = useStays().flatMap(({ role, stageId }) => (role === 'formateur' ? [stageId] : []));
  const ids = directed.join();
  useEffect(() => {
    // Without this code the page is whole: the next one tries again.
    for (const id of ids.split(',').filter(Boolean)) goOnSending(Number(id)).catch(() => {});
  }, [ids]);
}

async function goOnSending(stageId: number): Promise<void> {
  if ((await countUnsent(queueName(stageId, 'stay'))) === 0) return;
  const [{ SendingBar }, { uploadQueueOf }] = await Promise.all([
    import('./SendingProgress.tsx'),
    import('./UploadQueue.ts'),
  ]);
  showInFrame(SendingBar);
  uploadQueueOf(stageId, 'stay');
}

/** Removes every token from this browser, revokes them on the server, and goes to `address`, by default the home page. */
export function useSignOut(address = '/'): () => Promise<void> {
  const leave = useLeave(forgetAllTokens, address);
  const { say, warn } = useNotices();
  const confirmLeaving = useConfirmLeaving();
  const forgetUnsent = useForgetUnsent();
  return async () => {
    if (!(await confirmLeaving())) return;
    const unsent = await forgetUnsent();
    if (!unsent.mayLeave) return;
    const tokens = heldTokens();
    leave();
    void unsent.forget();
    const ends = await Promise.allSettled(tokens.map(revoke));
    if (ends.some(({ status }) => status === 'rejected'))
      warn('Vous êtes déconnecté de cet appareil.', 'Le serveur n’a pas pu être prévenu.');
    // The page that says what stays on the device says this too.
    else if (address !== SIGNED_OUT_ADDRESS) say('Vous êtes déconnecté.');
  };
}

/** Revokes a token on the server; one that the server does not know counts as revoked. */
export async function revoke(token: string): Promise<void> {
  try {
    await call('POST /auth/logout', { token });
  } catch (error) {
    if (!(error instanceof CallError && error.status === 401)) throw error;
  }
}

interface Unsent {
  /** False: the person chose to stay signed in. */
  mayLeave: boolean;
  /** Drops the unsent photos; call it once the sign-in has left this device. */
  forget(): Promise<void>;
}

/**
 * Asks, before a sign-in leaves this device, whether the photos that have not arrived may be forgotten. `stay`: the one
 * being closed; undefined: all stays.
 */
export function useForgetUnsent(): (stay?: StaySession) => Promise<Unsent> {
  const confirm = useConfirm();
  return async (stay) => {
    const queues = (await listQueues()).filter(
      (queue) => !stay || (isDirector(stay) && queue === queueName(stay.stageId, 'stay')),
    );
    let unsent = 0;
    for (const queue of queues) unsent += await countUnsent(queue);
    const mayLeave = unsent === 0 || (await confirm(questionAbout(unsent)));
    const forget = async () => {
      for (const queue of queues) await dropPhotos(queue);
    };
    return { mayLeave, forget };
  };
}

/** Only directors send photos: a family that closes its stay must not drop the queue of the stay's directors. */
function isDirector({ role }: StaySession): boolean {
  return role === 'formateur';
}

function questionAbout(unsent: number) {
  const isOne = unsent === 1;
  return {
    question: isOne
      ? 'Une photo n’est pas encore envoyée. Partir quand même\u202f?'
      : `${unsent}\u00a0photos ne sont pas encore envoyées. Partir quand même\u202f?`,
    consequence: isOne
      ? 'Elle sera oubliée sur cet appareil, et ne partira plus. L’originale reste où vous l’avez prise.'
      : 'Elles seront oubliées sur cet appareil, et ne partiront plus. Les originales restent où vous les avez prises.',
    yes: isOne ? 'Partir sans l’envoyer' : 'Partir sans les envoyer',
    no: 'Rester',
  };
}
