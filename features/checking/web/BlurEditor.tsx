import { Plus, Trash2, X } from 'lucide-react';
import { useId, useRef, useState } from 'react';
import type { Photo } from '#features/photos/calls.ts';
import { PHOTO_STATES } from '#features/photos/shared/states.ts';
import { PHOTO_BIN_DAYS, PHOTO_FOLDER, ZONES_AT_ONCE } from '#features/photos/shared/terms.ts';
import { useSite } from '#platform/web/site.tsx';
import { Button } from '#platform/web/ui/Button.tsx';
import { useConfirm, useModal } from '#platform/web/ui/dialogs.tsx';
import { useDecisions, useSaid } from './decisions.tsx';
import { photoName } from './texts.ts';
import { type Zone, ZoneStage, zoneAround } from './ZoneStage.tsx';

interface BlurEditorProps {
  photo: Photo;
  onClose(): void;
  onBlurred(message: string): void;
}

/** A photo over the whole window, on which zones to be blurred are drawn by finger, mouse or keys. */
export function BlurEditor({ photo, onClose, onBlurred }: BlurEditorProps) {
  const { locale } = useSite();
  const { act } = useDecisions();
  const confirm = useConfirm();
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
  const blur = async () => {
    const isSure = await confirm({
      question: `Flouter ${zones.length === 1 ? 'cette zone' : `ces ${zones.length} zones`}\u202f?`,
      consequence: `L’équipe du CSE seule peut l’annuler, pendant ${PHOTO_BIN_DAYS} jours\u202f; puis la photo d’avant est effacée du site.${
        PHOTO_STATES[photo.statut].isPublic ? ' La page des familles change aussitôt.' : ''
      } Les copies déjà téléchargées ne changent pas.`,
      yes: 'Flouter',
    });
    if (!isSure) return;
    await run(async () => {
      try {
        const body = { fichier: drawnOn.fichiers?.w320 ?? '', zones: [...zones] };
        onBlurred((await act('POST /photos/:id/retouche', { params: { id: photo.id }, body })).message);
      } catch (error) {
        setDrawnOn(photo);
        throw error;
      }
      return undefined;
    });
  };

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
        <button
          type="button"
          className="round-button"
          aria-disabled={isBusy}
          onClick={() => !isBusy && onClose()}
        >
          <X />
          <span className="sr-only">Fermer sans flouter</span>
        </button>
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
        <div role="alert" className="empty:-mb-3">
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
