import { RotateCcw, RotateCw, SquareDashed } from 'lucide-react';
import { useState } from 'react';
import type { Photo } from '#features/photos/calls.ts';
import { PHOTO_STATES } from '#features/photos/shared/states.ts';
import { PHOTO_BIN_DAYS, PHOTO_FOLDER } from '#features/photos/shared/terms.ts';
import { useSite } from '#platform/web/site.tsx';
import { Button } from '#platform/web/ui/Button.tsx';
import { useConfirm } from '#platform/web/ui/dialogs.tsx';
import { Instant } from '#platform/web/ui/Time.tsx';
import { BlurEditor } from './BlurEditor.tsx';
import { useDecisions, useSaid } from './decisions.tsx';
import { actorText, photoName } from './texts.ts';

interface RetouchToolsProps {
  photo: Photo;
  /** They lie over the photo: without words, and light on dark. */
  isOverPhoto?: boolean;
}

/** The buttons that turn a prepared photo or blur zones of it, and what became of it. */
export function RetouchTools({ photo, isOverPhoto = false }: RetouchToolsProps) {
  const { act } = useDecisions();
  const { said, isBusy, run } = useSaid();
  const [isBlurring, setBlurring] = useState(false);
  const turn = (quarts: 1 | 3) =>
    run(async () => {
      const body = { fichier: photo.fichiers?.w320 ?? '', quarts };
      return (await act('POST /photos/:id/retouche', { params: { id: photo.id }, body })).message;
    });
  const tools = [
    { label: 'Tourner à gauche', short: 'À gauche', Icon: RotateCcw, act: () => turn(3) },
    { label: 'Tourner à droite', short: 'À droite', Icon: RotateCw, act: () => turn(1) },
    { label: 'Flouter une zone', short: 'Flouter', Icon: SquareDashed, act: () => setBlurring(true) },
  ];
  return (
    <div
      className={isOverPhoto ? 'absolute top-2 right-2 flex flex-col items-end gap-2' : 'flex flex-col gap-2'}
    >
      <div className={isOverPhoto ? 'flex rounded-full bg-[#0a1916]/80 text-white' : 'flex flex-wrap gap-2'}>
        {tools.map(({ label, short, Icon, act }) => (
          <button
            key={label}
            type="button"
            className={isOverPhoto ? 'round-button text-white hover:bg-white/20' : 'button quiet px-3'}
            aria-label={label}
            title={label}
            aria-disabled={isBusy}
            onClick={() => !isBusy && act()}
          >
            <Icon className="size-5 shrink-0" />
            {!isOverPhoto && short}
          </button>
        ))}
      </div>
      <div role="status" className={chip(isOverPhoto, 'text-pine')}>
        {isBusy ? 'Un instant…' : !said?.isFailure && said?.text}
      </div>
      <div role="alert" className={chip(isOverPhoto, 'text-coral')}>
        {said?.isFailure && said.text}
      </div>
      {isBlurring && (
        <BlurEditor
          photo={photo}
          onClose={() => setBlurring(false)}
          onBlurred={(message) => {
            setBlurring(false);
            void run(async () => message);
          }}
        />
      )}
    </div>
  );
}

/** Of a line that says what became of the photo; without room of its own while it is empty. */
function chip(isOverPhoto: boolean, colour: string): string {
  if (isOverPhoto)
    return 'max-w-72 rounded-control bg-[#0a1916]/80 text-sm text-white not-empty:px-3 not-empty:py-2';
  return `font-semibold empty:-mt-2 ${colour}`;
}

interface BeforeProps extends Pick<ReturnType<typeof useSaid>, 'isBusy' | 'run'> {
  photo: Photo;
  avant: NonNullable<NonNullable<Photo['gestion']>['avant']>;
}

/** For staff: who blurred a photo last, how it was before, and what they answer. */
export function Before({ photo, avant, isBusy, run }: BeforeProps) {
  const { locale } = useSite();
  const { act } = useDecisions();
  const confirm = useConfirm();
  const [isShown, setShown] = useState(false);
  const isWaiting = avant.effacement_le === null;
  const onUndo = async () => {
    const isSure = await confirm({
      question: 'Annuler le floutage\u202f?',
      consequence: `La photo est montrée comme avant${PHOTO_STATES[photo.statut].isPublic ? ', aux familles aussi' : ''}.`,
      yes: 'Annuler le floutage',
    });
    if (!isSure) return;
    await run(async () => {
      const params = { id: photo.id, n: avant.id };
      const body = { fichier: photo.fichiers?.w320 ?? '' };
      return (await act('POST /photos/:id/avant/:n', { params, body })).message;
    });
  };
  const onKeep = async () => {
    const isSure = await confirm({
      question: 'Garder cette photo floutée\u202f?',
      consequence: `La photo d’avant sera effacée dans ${PHOTO_BIN_DAYS} jours.`,
      yes: 'Garder floutée',
    });
    if (!isSure) return;
    await run(async () => (await act('POST /photos/garder-floutees', { body: { ids: [photo.id] } })).message);
  };
  const button = (label: string, act: () => void) => (
    <Button quiet className="px-3" aria-disabled={isBusy} onClick={() => !isBusy && act()}>
      {label}
    </Button>
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
