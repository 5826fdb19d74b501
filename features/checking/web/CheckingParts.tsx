import { ChevronDown, Undo2 } from 'lucide-react';
import { type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { PHOTO_STATES, type PhotoState } from '#features/photos/shared/states.ts';
import { Button } from '#platform/web/ui/Button.tsx';
import { Drawing } from '#platform/web/ui/Drawing.tsx';
import { TextArea } from '#platform/web/ui/Field.tsx';
import { countOf } from './texts.ts';

/** Why photos came back. Always rendered, even empty, so that screen readers announce its text. */
export function Trouble({ text }: { text: string | undefined }) {
  return (
    <div role="alert" aria-live="assertive" className="empty:-mb-3">
      {text && (
        <div className="rounded-control border-2 border-coral p-3">
          <p className="font-semibold">
            Des décisions n’ont pas pu être enregistrées{'\u202f'}: leurs photos reviennent.
          </p>
          <p className="text-sm">{text}</p>
        </div>
      )}
    </div>
  );
}

/** What others may do with a photo while it is shown: decide on it, or delete it. */
export type PhotoNews = PhotoState | 'gone';

/** What somebody else did with the photo that is shown. Always rendered, for screen readers. */
export function News({ news, onLeave }: { news: PhotoNews | undefined; onLeave(): void }) {
  return (
    <div role="status" className="empty:-mb-3">
      {news && (
        <div className="flex flex-wrap items-center justify-between gap-2 rounded-control bg-mist p-3">
          <p className="font-semibold">
            {news === 'gone'
              ? 'Supprimée par quelqu’un d’autre.'
              : `Déjà vérifiée par quelqu’un d’autre\u202f: ${PHOTO_STATES[news].label.toLowerCase()}.`}
          </p>
          <Button quiet onClick={onLeave}>
            Continuer
          </Button>
        </div>
      )}
    </div>
  );
}

export interface Notes {
  id: number;
  legende: string;
  motif: string;
}

interface CheckingNotesProps {
  /** Of the photo that is shown; reset for the next one. */
  notes: Notes;
  onChange(notes: Notes): void;
  children: ReactNode;
}

/** Caption, reason, and the settings for all photos; folded on a phone, where the photo needs the room. */
export function CheckingNotes({ notes, onChange, children }: CheckingNotesProps) {
  const [isOpen, setOpen] = useState(() => window.matchMedia('(min-width: 64rem)').matches);
  const id = useId();
  return (
    <div>
      <button
        type="button"
        className="flex min-h-11 w-full items-center gap-2 text-left text-sm font-semibold lg:hidden"
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setOpen(!isOpen)}
      >
        <span className="grow">Légende, motif, heure de publication</span>
        <ChevronDown className={`size-5 shrink-0 transition-transform ${isOpen ? 'rotate-180' : ''}`} />
      </button>
      <div id={id} hidden={!isOpen} className="flex-col gap-4 py-2 not-[[hidden]]:flex">
        <TextArea
          label="Légende"
          name="legende"
          rows={2}
          maxLength={300}
          value={notes.legende}
          onType={(legende) => onChange({ ...notes, legende })}
          help="Sous la photo, sans nom d’enfant."
        />
        <TextArea
          label="Motif, si vous l’écartez"
          name="motif"
          rows={1}
          maxLength={300}
          value={notes.motif}
          onType={(motif) => onChange({ ...notes, motif })}
          help="Les familles ne le voient pas."
        />
        {children}
      </div>
    </div>
  );
}

export function UndoButton({ isUseful, onUndo }: { isUseful: boolean; onUndo(): void }) {
  return (
    <Button
      quiet
      className="min-h-13"
      aria-disabled={!isUseful}
      onClick={onUndo}
      aria-label="Annuler la dernière décision"
      title="Annuler la dernière décision"
    >
      <Undo2 className="size-5" />
    </Button>
  );
}

const KEYS = [
  ['→', 'publier'],
  ['←', 'écarter'],
  ['Ctrl + Z', 'annuler'],
] as const;

export function KeysHelp() {
  return (
    <dl className="hidden flex-wrap gap-x-4 text-sm text-quiet lg:flex">
      {KEYS.map(([keys, act]) => (
        <div key={act} className="flex gap-1.5">
          <dt className="font-semibold">{keys}</dt>
          <dd>{act}</dd>
        </div>
      ))}
    </dl>
  );
}

interface CheckingEndProps {
  done: readonly string[];
  /** Number of photos whose sizes are being made. */
  preparing: number;
  onUndo(): void;
  onClose(): void;
  children: ReactNode;
}

/** Shown when nothing is left to check: what was done, and what may still come. */
export function CheckingEnd({ done, preparing, onUndo, onClose, children }: CheckingEndProps) {
  const button = useRef<HTMLButtonElement>(null);
  // The buttons that had the focus are gone.
  useEffect(() => button.current?.focus(), []);
  return (
    <div className="m-auto flex max-w-lg flex-col items-center gap-4 p-6 text-center">
      {children}
      <Drawing name="campfire" className="h-36 w-52" />
      <h3 className="text-2xl text-pine">
        {done.length > 0 ? 'C’est fait, merci\u202f!' : 'Rien à vérifier'}
      </h3>
      <p>{done.length > 0 ? `${done.join(', ')}.` : 'Toutes les photos arrivées ont déjà été vérifiées.'}</p>
      <p className="text-quiet">
        {preparing > 0
          ? `${countOf(preparing)} encore en préparation\u202f: la suite s’affichera ici d’elle-même.`
          : 'Celles qui arriveront s’afficheront ici d’elles-mêmes.'}
      </p>
      <div className="flex flex-wrap justify-center gap-3">
        <Button ref={button} onClick={onClose}>
          Terminer
        </Button>
        {done.length > 0 && (
          <Button quiet onClick={onUndo}>
            <Undo2 className="size-5" />
            Annuler la dernière décision
          </Button>
        )}
      </div>
    </div>
  );
}
