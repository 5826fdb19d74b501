import {
  forgetAllTokens,
  heldTokens,
  SIGNED_OUT_ADDRESS,
  type StaySession,
} from '#features/stays/web/sessions.ts';
import { CallError, call } from '#platform/web/api.ts';
import { useLeave } from '#platform/web/portal.ts';
import { useConfirm } from '#platform/web/ui/dialogs.tsx';
import { useNotices } from '#platform/web/ui/notices.tsx';
import { useConfirmLeaving } from '#platform/web/ui/unsaved.ts';
import { countUnsent, dropPhotos, listQueues, queueName } from './keptUploads.ts';

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
    const ends = await Promise.allSettled(tokens.map((token) => call('POST /auth/logout', { token })));
    if (!ends.every(isOver))
      warn('Vous êtes déconnecté de cet appareil.', 'Le serveur n’a pas pu être prévenu.');
    // The page that says what stays on the device says this too.
    else if (address !== SIGNED_OUT_ADDRESS) say('Vous êtes déconnecté.');
  };
}

/** True when the token is revoked; a token that the server does not know counts as revoked. */
function isOver(end: PromiseSettledResult<unknown>): boolean {
  return end.status === 'fulfilled' || (end.reason instanceof CallError && end.reason.status === 401);
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
