import { Camera, Images } from 'lucide-react';
import { type ChangeEvent, useId, useRef, useState } from 'react';
import { useDrop } from '#platform/web/ui/FileZone.tsx';
import { filesDropped, seemsPhoto } from './prepare.ts';

/** Names that are said of the files that are no photos. */
const NAMED = 3;

interface PhotoChoiceProps {
  isReady: boolean;
  /** Photos chosen that were in the list. */
  doubles: number;
  onFiles(files: File[]): void;
}

/** Chooses photos, takes one, or lets files and folders be dropped. */
export function PhotoChoice({ isReady, doubles, onFiles }: PhotoChoiceProps) {
  const id = useId();
  const choice = useRef<HTMLInputElement>(null);
  const camera = useRef<HTMLInputElement>(null);
  const [others, setOthers] = useState<readonly File[]>([]);
  const take = (files: readonly File[]) => {
    setOthers(files.filter((file) => !seemsPhoto(file)));
    const photos = files.filter(seemsPhoto);
    if (photos.length > 0) onFiles(photos);
  };
  const { isOver, drop } = useDrop(async (dropped) => take(await filesDropped(dropped)));
  const input = {
    type: 'file',
    className: 'sr-only',
    tabIndex: -1,
    disabled: !isReady,
    onChange: ({ target }: ChangeEvent<HTMLInputElement>) => {
      take([...(target.files ?? [])]);
      // The same file may be chosen again after it was removed.
      target.value = '';
    },
  } as const;
  return (
    <div className={`drop-zone ${isOver ? 'over' : ''}`} {...drop}>
      <div className="flex flex-wrap gap-3">
        <button
          type="button"
          className="button min-h-14! grow px-6! text-lg sm:grow-0"
          aria-disabled={!isReady}
          onClick={() => choice.current?.click()}
        >
          <Images aria-hidden="true" className="size-6" />
          Choisir des photos
        </button>
        <button
          type="button"
          className="button quiet min-h-14! grow pointer-fine:hidden"
          aria-disabled={!isReady}
          onClick={() => camera.current?.click()}
        >
          <Camera aria-hidden="true" className="size-6" />
          Prendre une photo
        </button>
      </div>
      <input
        ref={choice}
        aria-label="Photos à envoyer"
        accept="image/*,.heic,.heif"
        multiple
        {...input}
        id={`${id}-choice`}
      />
      <input ref={camera} aria-label="Photo à prendre" accept="image/*" capture="environment" {...input} />
      <p className="hidden text-sm text-quiet pointer-fine:block">
        Ou déposez ici des photos, ou des dossiers entiers.
      </p>
      <div role="status" className="text-sm wrap-anywhere empty:hidden">
        {others.length > 0 && <p>{laidAside(others)}</p>}
        {doubles > 0 && <p>{alreadyThere(doubles)}</p>}
      </div>
    </div>
  );
}

function laidAside(files: readonly File[]): string {
  const names = files.slice(0, NAMED).map(({ name }) => name);
  const list = names.join(', ') + (files.length > NAMED ? '…' : '.');
  return files.length === 1
    ? `Ce fichier n’est pas une photo et ne partira pas\u202f: ${list}`
    : `${files.length}\u00a0fichiers ne sont pas des photos et ne partiront pas\u202f: ${list}`;
}

function alreadyThere(count: number): string {
  return count === 1
    ? 'Une photo choisie était déjà dans la liste.'
    : `${count}\u00a0photos choisies étaient déjà dans la liste.`;
}
