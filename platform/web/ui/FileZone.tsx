import type { LucideIcon } from 'lucide-react';
import { type DragEvent, type ReactNode, type RefObject, useEffect, useId, useRef, useState } from 'react';
import { FieldError } from './Field.tsx';
import { namedFile, useFileAddress } from './files.ts';

interface FileZoneProps {
  label: string;
  name: string;
  accept: string;
  isRequired?: boolean;
  /** A file is there, chosen or stored. */
  isFilled: boolean;
  isMultiple?: boolean;
  /** On the button that opens the browser’s own dialog. */
  action: string;
  Icon: LucideIcon;
  /** That button, for whoever has to give it the focus. */
  opener: RefObject<HTMLButtonElement | null>;
  help: ReactNode;
  errors: readonly (string | undefined)[];
  onFiles(files: File[]): void;
  /** What is chosen, above the buttons. */
  children?: ReactNode;
  /** Further buttons. */
  aside?: ReactNode;
}

/** A place to choose files in, or to drop them on. */
export function FileZone(props: FileZoneProps) {
  const {
    label,
    name,
    isRequired = false,
    isFilled,
    isMultiple = false,
    Icon,
    opener,
    children,
    aside,
  } = props;
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  // Files dropped here go the way of those that are chosen.
  const { isOver, drop } = useDrop(({ files }) => {
    if (!input.current || files.length === 0) return;
    input.current.files = files;
    input.current.dispatchEvent(new Event('change', { bubbles: true }));
  });
  const errors = props.errors.filter((one) => one !== undefined);
  const described = `${id}-help ${id}-errors`;
  return (
    <div className="flex flex-col gap-1.5">
      <label htmlFor={id} className="font-semibold">
        {label}
        {!isRequired && <span className="font-normal text-quiet"> (facultatif)</span>}
      </label>
      <div className={`drop-zone ${isOver ? 'over' : ''}`} {...drop}>
        {children}
        <div className="flex flex-wrap items-center gap-3">
          <button
            ref={opener}
            type="button"
            className="button quiet"
            data-wrong={errors.length > 0}
            aria-describedby={described}
            onClick={() => input.current?.click()}
          >
            <Icon aria-hidden="true" className="size-5" />
            {props.action}
          </button>
          {aside}
        </div>
        <input
          ref={input}
          id={id}
          // Named for what the form looks for and takes back; its files travel by another way.
          name={name}
          type="file"
          accept={props.accept}
          multiple={isMultiple}
          required={isRequired && !isFilled}
          className="sr-only"
          tabIndex={-1}
          aria-invalid={errors.length > 0}
          aria-describedby={described}
          onChange={({ target }) => {
            props.onFiles([...(target.files ?? [])]);
            // The same file may be chosen again after it was removed.
            target.value = '';
          }}
        />
        <p id={`${id}-help`} className="text-sm text-quiet">
          {props.help}
        </p>
      </div>
      <div role="alert" id={`${id}-errors`} className="wrap-anywhere">
        {errors.map((error) => (
          <FieldError key={error} error={error} />
        ))}
      </div>
    </div>
  );
}

/** A text that is moved from one field to another is nothing for it. */
function carriesFiles(carried: DataTransfer | null): boolean {
  return carried?.types.includes('Files') ?? false;
}

/** A place on which files can be dropped; `drop` is for its element. */
export function useDrop(onDrop: (dropped: DataTransfer) => void) {
  const [isOver, setOver] = useState(false);
  useEffect(() => {
    // A file dropped beside the zone would take the place of the page, and of the form in it.
    const refuse = (event: globalThis.DragEvent) => {
      if (carriesFiles(event.dataTransfer)) event.preventDefault();
    };
    window.addEventListener('dragover', refuse);
    window.addEventListener('drop', refuse);
    return () => {
      window.removeEventListener('dragover', refuse);
      window.removeEventListener('drop', refuse);
    };
  }, []);
  const drop = {
    onDragOver: (event: DragEvent) => {
      if (!carriesFiles(event.dataTransfer)) return;
      event.preventDefault();
      setOver(true);
    },
    onDragLeave: () => setOver(false),
    onDrop: (event: DragEvent) => {
      if (!carriesFiles(event.dataTransfer)) return;
      event.preventDefault();
      setOver(false);
      onDrop(event.dataTransfer);
    },
  };
  return { isOver, drop };
}

interface FilePreviewProps {
  file: File;
  className: string;
}

/** A picture as it will be seen; a browser that cannot draw it (HEIC, mostly) shows its name. */
export function FilePreview({ file, className }: FilePreviewProps) {
  const address = useFileAddress(file);
  /** The address that could not be drawn. */
  const [undrawn, setUndrawn] = useState<string>();
  const isUndrawn = address !== undefined && undrawn === address;
  return (
    <figure className="min-w-0">
      {address && !isUndrawn && (
        <img
          src={address}
          alt=""
          decoding="async"
          className={className}
          onError={() => setUndrawn(address)}
        />
      )}
      <figcaption className="mt-1 text-sm wrap-anywhere">
        {namedFile(file)}
        {isUndrawn && NOT_DRAWN}
      </figcaption>
    </figure>
  );
}

const NOT_DRAWN = ' — aperçu impossible dans ce navigateur, l’image sera bien envoyée';
