import { ArrowLeft, ArrowRight, X } from 'lucide-react';
import { type FormEvent, type ReactNode, useEffect, useId, useMemo, useRef, useState } from 'react';
import {
  type Change,
  discardWish,
  useDecisions,
  useDiscard,
  useSaid,
} from '#features/checking/web/decisions.tsx';
import { Words } from '#features/checking/web/pending.tsx';
import { Before, RetouchTools } from '#features/checking/web/RetouchTools.tsx';
import { actorText, photoName } from '#features/checking/web/texts.ts';
import type { Photo } from '#features/photos/calls.ts';
import { PHOTO_STATES } from '#features/photos/shared/states.ts';
import { sourcesOf } from '#features/photos/web/grid/layout.ts';
import type { Tracking } from '#features/photos/web/useStayPhotos.ts';
import type { NamedStay } from '#features/stays/web/stays.ts';
import { weightOf } from '#platform/shared/bytes.ts';
import { useSite } from '#platform/web/site.tsx';
import { Button, RoundButton } from '#platform/web/ui/Button.tsx';
import { useModal } from '#platform/web/ui/dialogs.tsx';
import { TextArea } from '#platform/web/ui/Field.tsx';
import { Instant } from '#platform/web/ui/Time.tsx';
import { momentOf } from '#platform/web/ui/texts.ts';
import { useBackCloses } from '#platform/web/ui/WholeDialog.tsx';
import { BinButtons, EndOfPhoto } from './Bin.tsx';
import { DayField, stateOf } from './BulkBar.tsx';

export function PhotoDetails({ photo, stay }: { photo: Photo; stay: NamedStay }) {
  const { decide } = useDecisions();
  const discard = useDiscard();
  const { said, isBusy, run } = useSaid();
  const status = useRef<HTMLDivElement>(null);
  // The decision removed the button that had the focus.
  useEffect(() => {
    if (said && document.activeElement === document.body) status.current?.focus();
  }, [said]);
  const [legende, setLegende] = useState(photo.legende);
  const [jour, setJour] = useState(photo.jour);
  const [motif, setMotif] = useState(photo.motif);
  const isDirty = legende.trim() !== photo.legende || jour !== photo.jour;
  const change = (wanted: Change) => run(() => decide([photo.id], wanted));
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    if (isDirty) change({ legende: legende.trim(), jour });
  };
  const onRemove = () => run(() => discard([photo.id]), discardWish(1));
  const isReady = photo.fichiers !== null;
  const { avant, ecartee: out } = photo.gestion ?? {};
  return (
    <div className="flex flex-col gap-5">
      <Facts photo={photo} />
      <div ref={status} role="status" tabIndex={-1} className="empty:-mb-5">
        {said && !said.isFailure && <p className="font-semibold text-pine">{said.text}</p>}
      </div>
      <div role="alert" aria-live="assertive" className="empty:-mb-5">
        {said?.isFailure && <p className="font-semibold text-coral">{said.text}</p>}
      </div>
      {isReady && (
        <>
          <div className="flex flex-wrap gap-2">
            {!PHOTO_STATES[photo.statut].isPublic && (
              <Button
                aria-disabled={isBusy}
                onClick={() => change({ statut: 'publiee', ecartee: out ? false : undefined })}
              >
                {PHOTO_STATES[photo.statut].isAsked ? 'Remettre en ligne' : 'Publier'}
              </Button>
            )}
            {PHOTO_STATES[photo.statut].awaits !== 'decision' && (
              <Button quiet aria-disabled={isBusy} onClick={() => change({ statut: 'a_verifier' })}>
                Remettre à vérifier
              </Button>
            )}
          </div>
          <RetouchTools photo={photo} />
          {avant && <Before key={avant.id} {...{ photo, avant, isBusy, run }} />}
          <form onSubmit={onSubmit} className="flex flex-col gap-4">
            <TextArea
              label="Légende"
              name="legende"
              rows={2}
              maxLength={300}
              value={legende}
              onType={setLegende}
              help="Sous la photo, sans nom d’enfant."
            />
            <DayField stay={stay} value={jour} onChange={setJour} />
            <Button type="submit" quiet className="w-fit" aria-disabled={isBusy || !isDirty}>
              Enregistrer
            </Button>
          </form>
          <div className="flex flex-col gap-3 border-t border-mist pt-4">
            <TextArea
              label="Motif"
              name="motif"
              rows={2}
              maxLength={300}
              value={motif}
              onType={setMotif}
              help="Les familles ne le voient pas."
            />
            <Button
              quiet
              className="w-fit"
              aria-disabled={isBusy || (photo.statut === 'refusee' && motif.trim() === photo.motif)}
              onClick={() => change({ statut: 'refusee', motif: motif.trim() })}
            >
              {photo.statut === 'refusee' ? 'Enregistrer le motif' : 'Écarter'}
            </Button>
          </div>
        </>
      )}
      <p className="border-t border-mist pt-4">
        <Button danger aria-disabled={isBusy} onClick={onRemove}>
          Mettre la photo à la corbeille
        </Button>
      </p>
    </div>
  );
}

/** The data of a photo of the bin, which is put back before anything else is done with it. */
export function BinnedDetails({ photo, tracking }: { photo: Photo; tracking: Tracking }) {
  const jetee = photo.gestion?.corbeille;
  return (
    <div className="flex flex-col gap-5">
      <Facts photo={photo} />
      <p>
        {jetee && (
          <>
            Mise à la corbeille par {actorText(jetee.jetee_par)} le <Instant value={jetee.jetee_le} />.{' '}
          </>
        )}
        <EndOfPhoto photo={photo} tracking={tracking} />
      </p>
      <BinButtons photos={[photo]} onDone={() => {}} />
    </div>
  );
}

function Facts({ photo }: { photo: Photo }) {
  const { locale } = useSite();
  const { statut, prise_le, publiee_le, version, largeur, hauteur, gestion } = photo;
  return (
    <div className="flex flex-col gap-1">
      <p className="text-lg font-semibold">{stateOf(photo)}</p>
      {PHOTO_STATES[statut].isPublic && publiee_le && (
        <p className="text-sm text-quiet">
          Pour les familles depuis le <Instant value={publiee_le} />
        </p>
      )}
      <p className="text-sm text-quiet">Prise le {momentOf(prise_le, locale)}</p>
      <p className="text-sm text-quiet">
        {version === 'complete'
          ? 'Photo entière'
          : `Version légère${largeur > 0 ? `, ${largeur} × ${hauteur} pixels` : ''}\u202f: la photo entière n’est pas arrivée`}
        {gestion && `, ${weightOf(gestion.octets)}`}
      </p>
      {gestion?.ecartee && (
        <p className="text-sm text-quiet">
          Écartée{gestion.ecartee.ecartee_par && ` par ${actorText(gestion.ecartee.ecartee_par)}`} le{' '}
          <Instant value={gestion.ecartee.ecartee_le} />
        </p>
      )}
      {gestion?.nom_envoye && <p className="text-sm wrap-anywhere">{gestion.nom_envoye}</p>}
      {gestion?.refus && <p className="font-semibold text-coral">{gestion.refus}</p>}
      {gestion?.demandes.map(({ mot, created_at }) => (
        <p key={created_at} className="rounded-control bg-mist p-3 wrap-anywhere">
          Retrait demandé le <Instant value={created_at} />
          <Words mot={mot} />
        </p>
      ))}
    </div>
  );
}

interface PhotoViewProps {
  photos: readonly Photo[];
  /** Ids of the photos among which the arrows move. */
  order: readonly number[];
  id: number;
  gone: string;
  details(photo: Photo, among: readonly number[]): ReactNode;
  onMove(id: number): void;
  onClose(): void;
}

/**
 * One photo in large, with its data and actions. It stays until the user moves on, even when a decision takes it out of
 * the filter: otherwise the next photo would appear under the same button.
 */
export function PhotoView({ photos, order, id, gone, details, onMove, onClose }: PhotoViewProps) {
  const { locale } = useSite();
  const close = useBackCloses(onClose);
  const modal = useModal(close);
  const titleId = useId();
  const found = useMemo(() => new Map(photos.map((one) => [one.id, one])), [photos]);
  const photo = found.get(id);
  const ids = order.filter((one) => one === id || found.has(one));
  const place = ids.indexOf(id);
  const move = (step: number) => {
    const next = ids[place + step];
    if (next !== undefined) onMove(next);
  };
  const closing = useRef<HTMLButtonElement>(null);
  const isGone = photo === undefined;
  // The button that had the focus disappeared with the photo.
  useEffect(() => {
    if (isGone && document.activeElement === document.body) closing.current?.focus();
  }, [isGone]);
  const largest = photo && sourcesOf(photo).at(-1);
  return (
    <dialog
      {...modal}
      aria-labelledby={titleId}
      className="m-0 flex h-dvh max-h-none w-full max-w-none flex-col bg-paper"
      onKeyDown={(event) => {
        modal.onKeyDown(event);
        if ((event.target as Element).closest('input, textarea, select')) return;
        if (event.key === 'ArrowRight') move(1);
        if (event.key === 'ArrowLeft') move(-1);
      }}
    >
      <div className="flex items-center gap-1 border-b border-mist px-2">
        <RoundButton label="Fermer" ref={closing} onClick={close} data-first-focus>
          <X />
        </RoundButton>
        <h2 id={titleId} className="grow text-lg">
          Photo {(place + 1).toLocaleString(locale)} sur {ids.length.toLocaleString(locale)}
        </h2>
        <RoundButton label="Précédente" isAtEnd={place <= 0} onClick={() => move(-1)}>
          <ArrowLeft />
        </RoundButton>
        <RoundButton label="Suivante" isAtEnd={place >= ids.length - 1} onClick={() => move(1)}>
          <ArrowRight />
        </RoundButton>
      </div>
      {photo && (
        <div className="flex min-h-0 grow flex-col overflow-y-auto lg:flex-row lg:overflow-hidden">
          <div className="flex min-h-[45dvh] shrink-0 items-center justify-center bg-[#0a1916] text-white lg:min-h-0 lg:min-w-0 lg:shrink lg:grow">
            {largest ? (
              <img
                key={photo.id}
                src={largest.src}
                alt={photoName(photo, locale)}
                className="max-h-[60dvh] w-full object-contain lg:h-full lg:max-h-none"
              />
            ) : (
              <p className="p-6 text-center">Pas d’image à montrer pour ce fichier.</p>
            )}
          </div>
          <div className="shrink-0 p-4 lg:w-88 lg:overflow-y-auto lg:border-l lg:border-mist lg:p-5">
            {details(photo, order)}
          </div>
        </div>
      )}
      <div role="status" className={isGone ? 'm-auto p-6 text-center' : 'sr-only'}>
        {isGone && gone}
      </div>
    </dialog>
  );
}
