import { useNavigate } from 'react-router';
import { CallError, call } from '../../api.ts';
import { panelAddress } from '../../panelAddress.ts';
import { useSite } from '../../site.tsx';
import { stayLabel } from '../../stays.ts';
import { useNotices } from '../../ui/notices.tsx';
import { useConfirmLeaving } from '../../ui/unsaved.ts';
import type { DirectedStay } from './directors.ts';

/**
 * Gives the directors of stays new passwords, after a change of which `message` tells, and says which stays got
 * one and which did not.
 */
export function useNewPasswords(): (message: string, stays: readonly DirectedStay[]) => Promise<void> {
  const { say, warn } = useNotices();
  const { locale } = useSite();
  const navigate = useNavigate();
  const confirmLeaving = useConfirmLeaving();
  const listed = (stays: readonly DirectedStay[]) =>
    stays.map((stay) => stayLabel(stay, locale)).join('\u202f; ');
  const show = {
    label: 'Voir les mots de passe',
    run: async () => {
      if (await confirmLeaving()) navigate(panelAddress('mots-de-passe'));
    },
  };
  return async (message, stays) => {
    if (stays.length === 0) return say(message);
    const { done, failed, reason } = await renew(stays);
    const told = done.length > 0 ? `Nouveau mot de passe des directeurs\u202f: ${listed(done)}.` : '';
    if (failed.length === 0) return say(`${message}. ${told}`, show);
    const text = `${message}, mais le mot de passe des directeurs est resté le même\u202f: ${listed(failed)}.`;
    warn(text, `${reason} ${told}`);
  };
}

/** One after the other, whatever becomes of the others; `reason` is why the last one failed. */
async function renew(stays: readonly DirectedStay[]) {
  const [done, failed]: [DirectedStay[], DirectedStay[]] = [[], []];
  let reason = '';
  for (const stay of stays) {
    try {
      const input = { params: { id: stay.stageId }, body: { type: 'formateur' } } as const;
      await call('POST /stage-passwords/:id/regenerer', input);
      done.push(stay);
    } catch (error) {
      if (!(error instanceof CallError)) throw error;
      failed.push(stay);
      reason = error.message;
    }
  }
  return { done, failed, reason };
}
