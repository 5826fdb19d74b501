import { Plus, RotateCcw, RotateCw, SquareDashed, Trash2, X } from 'lucide-react';
import { useId, useRef, useState } from 'react';
import type { Photo } from '#features/photos/calls.ts';
import { PHOTO_STATES } from '#features/photos/shared/states.ts';
import { PHOTO_BIN_DAYS, PHOTO_FOLDER, ZONES_AT_ONCE } from '#features/photos/shared/terms.ts';
import { useSite } from '#platform/web/site.tsx';
import { Button, RoundButton } from '#platform/web/ui/Button.tsx';
import { useModal } from '#platform/web/ui/dialogs.tsx';
import { Instant } from '#platform/web/ui/Time.tsx';
import { useDecisions, useSaid } from './decisions.tsx';
import { actorText, photoName } from './texts.ts';
import { type Zone, ZoneStage, zoneAround } from './ZoneStage.tsx';

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
      <div role="alert" aria-live="assertive" className={chip(isOverPhoto, 'text-coral')}>
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
  const [isShown, setShown] = useState(false);
  const isWaiting = avant.effacement_le === null;
  const undo = async () => {
    const params = { id: photo.id, n: avant.id };
    const body = { fichier: photo.fichiers?.w320 ?? '' };
    return (await act('POST /photos/:id/avant/:n', { params, body })).message;
  };
  const onUndo = () =>
    run(undo, {
      question: 'Annuler le floutage\u202f?',
      consequence: `La photo est montrée comme avant${PHOTO_STATES[photo.statut].isPublic ? ', aux familles aussi' : ''}.`,
      yes: 'Annuler le floutage',
    });
  const keep = async () => (await act('POST /photos/garder-floutees', { body: { ids: [photo.id] } })).message;
  const onKeep = () =>
    run(keep, {
      question: 'Garder cette photo floutée\u202f?',
      consequence: `La photo d’avant sera effacée dans ${PHOTO_BIN_DAYS} jours.`,
      yes: 'Garder floutée',
    });
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

interface BlurEditorProps {
  photo: Photo;
  onClose(): void;
  onBlurred(message: string): void;
}

/** A photo over the whole window, on which zones to be blurred are drawn by finger, mouse or keys. */
function BlurEditor({ photo, onClose, onBlurred }: BlurEditorProps) {
  const { locale } = useSite();
  const { act } = useDecisions();
  const { said, isBusy, run } = useSaid();
  // Without a Back of its own, as it lies over a dialog that has one.
  const modal = useModal(isBusy ? undefined : onClose);
  const id = useId();
  const [zones, setZones] = useState<readonly Zone[]>([]);
  const [selected, setSelected] = useState<number>();
  /** The photo on which the zones were drawn: if it has changed since, the server refuses, and it is looked at again. */
  const [drawnOn, setDrawnOn] = useState(photo);
  const adding = useRef<HTMLButtonElement>(null);
  const ratio = photo.hauteur > 0 ? photo.largeur / photo.hauteur : 1;
  const isFull = zones.length >= ZONES_AT_ONCE;

  const draw = (zone: Zone) => {
    setZones([...zones, zone]);
    setSelected(zones.length);
  };
  const remove = (index: number) => {
    setZones(zones.filter((_zone, place) => place !== index));
    setSelected(undefined);
    adding.current?.focus();
  };
  const send = async () => {
    try {
      const body = { fichier: drawnOn.fichiers?.w320 ?? '', zones: [...zones] };
      onBlurred((await act('POST /photos/:id/retouche', { params: { id: photo.id }, body })).message);
    } catch (error) {
      setDrawnOn(photo);
      throw error;
    }
  };
  const blur = () =>
    run(send, {
      question: `Flouter ${zones.length === 1 ? 'cette zone' : `ces ${zones.length} zones`}\u202f?`,
      consequence: `L’équipe du CSE seule peut l’annuler, pendant ${PHOTO_BIN_DAYS} jours\u202f; puis la photo d’avant est effacée du site.${
        PHOTO_STATES[photo.statut].isPublic ? ' La page des familles change aussitôt.' : ''
      } Les copies déjà téléchargées ne changent pas.`,
      yes: 'Flouter',
    });

  return (
    <dialog
      {...modal}
      aria-labelledby={`${id}-title`}
      aria-describedby={`${id}-help`}
      className="m-0 flex h-dvh max-h-none w-full max-w-none flex-col bg-paper"
      onKeyDown={(event) => {
        // What lies below has keys and swipes of its own.
        event.stopPropagation();
        modal.onKeyDown(event);
      }}
      onPointerDown={(event) => {
        event.stopPropagation();
        modal.onPointerDown(event);
      }}
    >
      <div className="flex items-center gap-2 border-b border-mist px-2">
        <RoundButton label="Fermer sans flouter" aria-disabled={isBusy} onClick={() => !isBusy && onClose()}>
          <X />
        </RoundButton>
        <h2 id={`${id}-title`} className="text-lg">
          Flouter des zones
        </h2>
      </div>
      <ZoneStage
        source={PHOTO_FOLDER + (photo.fichiers?.w1920 ?? '')}
        name={photoName(photo, locale)}
        {...{ ratio, zones, selected, isFull }}
        onSelect={setSelected}
        onDraw={draw}
        onChange={(index, zone) => setZones((before) => before.with(index, zone))}
        onRemove={remove}
      />
      <div className="mx-auto flex w-full max-w-2xl shrink-0 flex-col gap-3 p-3">
        <p id={`${id}-help`} className="text-sm text-quiet">
          Touchez un visage, ou tracez un rectangle autour{'\u202f'}; le point jaune change sa taille.
          <span className="hidden pointer-fine:inline">
            {' '}
            Au clavier{'\u202f'}: les flèches déplacent la zone, avec Maj elles changent sa taille, Suppr
            l’enlève.
          </span>
        </p>
        <div role="alert" aria-live="assertive" className="empty:-mb-3">
          {said?.isFailure && <p className="font-semibold text-coral">{said.text}</p>}
          {isFull && <p className="font-semibold">{ZONES_AT_ONCE} zones à la fois au plus.</p>}
        </div>
        <div className="grid grid-cols-2 gap-2">
          <Button
            ref={adding}
            quiet
            className="px-2"
            data-first-focus
            aria-disabled={isFull || isBusy}
            onClick={() => !isFull && !isBusy && draw(zoneAround({ x: 0.5, y: 0.5 }, ratio))}
          >
            <Plus className="size-5 shrink-0" />
            Nouvelle zone
          </Button>
          <Button
            quiet
            className="px-2"
            aria-disabled={selected === undefined || isBusy}
            onClick={() => selected !== undefined && !isBusy && remove(selected)}
          >
            <Trash2 className="size-5 shrink-0" />
            Enlever la zone
          </Button>
        </div>
        <Button
          danger
          className="min-h-13"
          aria-disabled={zones.length === 0 || isBusy}
          onClick={() => zones.length > 0 && !isBusy && blur()}
        >
          {isBusy ? 'Un instant…' : 'Flouter'}
        </Button>
        <p role="status" className="sr-only">
          {isBusy && 'Les zones sont en train d’être floutées.'}
        </p>
      </div>
    </dialog>
  );
}
