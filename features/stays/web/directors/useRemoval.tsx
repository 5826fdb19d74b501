import type { Director } from '#features/stays/calls.ts';
import { call } from '#platform/web/api.ts';
import { useConfirm } from '#platform/web/ui/confirm.tsx';
import { useAction } from '#platform/web/ui/useAction.ts';
import { NewPasswordsTick } from './DirectorForm.tsx';
import { nameOf, useDirectorsAgain, useNewPasswords } from './directors.ts';

/** Deletes a director after a question, which also proposes new passwords for their stays. */
export function useRemoval(director: Director, onGone: () => void) {
  const confirm = useConfirm();
  const { isBusy, run } = useAction();
  const giveNewPasswords = useNewPasswords();
  const askAgain = useDirectorsAgain();
  const { nom, prenom, mail, sejours } = director;

  async function remove(): Promise<void> {
    if (isBusy) return;
    let isTicked = true;
    const isSure = await confirm({
      question: `Supprimer ${nameOf(director)}\u202f?`,
      consequence: 'Ses coordonnées et ses affectations seront effacées définitivement.',
      details: sejours.length > 0 && (
        <NewPasswordsTick
          count={sejours.length}
          isTicked={isTicked}
          onTick={(value) => {
            isTicked = value;
          }}
        />
      ),
      yes: 'Supprimer',
    });
    if (!isSure) return;
    await run(async () => {
      try {
        const { message } = await call('POST /formateurs/delete', { body: { nom, prenom, mail } });
        await giveNewPasswords(message, isTicked ? sejours : []);
        onGone();
      } finally {
        // After a refusal too: somebody else may have been faster.
        await askAgain();
      }
    }, 'Erreur lors de la suppression du formateur');
  }
  return { isBusy, remove };
}
