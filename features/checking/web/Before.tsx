import { useState } from 'react';
import type { Photo } from '#features/photos/calls.ts';
import { PHOTO_STATES } from '#features/photos/shared/states.ts';
import { PHOTO_BIN_DAYS, PHOTO_FOLDER } from '#features/photos/shared/terms.ts';
import type { useSaid } from '#features/photos/web/useSaid.ts';
import { useSite } from '#platform/web/site.tsx';
import { Button } from '#platform/web/ui/Button.tsx';
import { useConfirm } from '#platform/web/ui/dialogs.tsx';
import { Instant } from '#platform/web/ui/Time.tsx';
import { useDecisions } from './decisions.tsx';
import { actorText, photoName } from './texts.ts';

interface BeforeProps extends Pick<ReturnType<typeof useSaid>, 'isBusy' | 'run'> {
  photo: Photo;
  avant: NonNullable<NonNullable<Photo['gestion']>['avant']>;
}

/** For staff: who blurred a photo last, how it was before, and what they answer. */
export function Before({ photo, avant, isBusy, run }: BeforeProps) {
  const { locale } = useSite();
  const { unblur, keepBlurred } = useDecisions();
  const confirm = useConfirm();
  const [isShown, setShown] = useState(false);
  const isWaiting = avant.effacement_le === null;
  const onUndo = async () => {
    const isSure = await confirm({
      question: 'Annuler le floutage\u202f?',
      consequence: `La photo est montrée comme avant${PHOTO_STATES[photo.statut].isPublic ? ', aux familles aussi' : ''}.`,
      yes: 'Annuler le floutage',
    });
    if (isSure) await run(() => unblur(photo, avant.id));
  };
  const onKeep = async () => {
    const isSure = await confirm({
      question: 'Garder cette photo floutée\u202f?',
      consequence: `La photo d’avant sera effacée dans ${PHOTO_BIN_DAYS} jours.`,
      yes: 'Garder floutée',
    });
    if (isSure) await run(() => keepBlurred([photo.id]));
  };
  const button = (label: string, act: () => void, variant = 'quiet') => (
    <button
      type="button"
      className={`button px-3 ${variant}`}
      aria-disabled={isBusy}
      onClick={() => !isBusy && act()}
    >
      {label}
    </button>
  );
  return (
    <div className="flex flex-col gap-3 rounded-control bg-mist p-3">
      <p>
        Floutée le <Instant value={avant.floutee_le} /> par {actorText(avant.floutee_par)}.{' '}
        {isWaiting ? (
          'La photo d’avant attend votre réponse.'
        ) : (
          <>
            La photo d’avant reste jusqu’au <Instant value={avant.effacement_le ?? ''} />.
          </>
        )}
      </p>
      <div className="flex flex-wrap gap-2">
        <Button quiet className="px-3" aria-pressed={isShown} onClick={() => setShown(!isShown)}>
          Voir avant
        </Button>
        {button('Annuler le floutage', onUndo)}
        {isWaiting && button('Garder floutée', onKeep)}
      </div>
      {isShown && <img src={`${PHOTO_FOLDER}avant/${avant.id}`} alt={`${photoName(photo, locale)}, avant`} />}
    </div>
  );
}
