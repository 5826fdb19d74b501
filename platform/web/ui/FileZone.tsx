import { FileText, FileUp, type LucideIcon } from 'lucide-react';
import { type DragEvent, type ReactNode, type RefObject, useEffect, useId, useRef, useState } from 'react';
import { atMost, PDF_BYTES } from '#platform/shared/bytes.ts';
import { Button } from './Button.tsx';
import { FieldError } from './FieldError.tsx';
import { type FileChoice, namedFile, PDFS, useFileAddress } from './files.ts';
import { follow } from './inBrowser.tsx';

interface FileZoneProps {
  label: string;
  name: string;
  accept: string;
  isRequired?: boolean;
  /** True when there is a file, chosen or stored. */
  isFilled: boolean;
  isMultiple?: boolean;
  /** Label of the button that opens the browser’s own dialog. */
  action: string;
  Icon: LucideIcon;
  /** Ref of that button, to give it the focus. */
  opener: RefObject<HTMLButtonElement | null>;
  help: ReactNode;
  errors: readonly (string | undefined)[];
  onFiles(files: File[]): void;
  /** The chosen files, shown above the buttons. */
  children?: ReactNode;
  aside?: ReactNode;
}

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
  // Dropped files are put into the input, so that they are handled like chosen ones.
  const { isOver, drop } = useDrop(({ files }) => {
    if (!input.current || files.length === 0) return;
    input.current.files = files;
    input.current.dispatchEvent(new Event('change', { bubbles: true }));
  });
  const errors = props.errors.filter((one) => one !== undefined);
  const described = `${id}-help ${id}-errors`;
  return (
    <div className="flex flex-col gap-1.5">
      <label htmlFor={id} className="font-semibold" data-required={isRequired}>
        {label}
      </label>
      <div className={`drop-zone ${isOver ? 'over' : ''}`} {...drop}>
        {children}
        <div className="flex flex-wrap items-center gap-3">
          <Button
            ref={opener}
            quiet
            data-wrong={errors.length > 0}
            aria-describedby={described}
            onClick={() => input.current?.click()}
          >
            <Icon className="size-5" />
            {props.action}
          </Button>
          {aside}
        </div>
        <input
          ref={input}
          id={id}
          // The name connects it to the form's errors; its files are not sent through it.
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
            // Cleared, so that the same file can be chosen again after it was removed.
            target.value = '';
          }}
        />
        <p id={`${id}-help`} className="text-sm text-quiet">
          {props.help}
        </p>
      </div>
      <div role="alert" aria-live="assertive" id={`${id}-errors`} className="wrap-anywhere">
        {errors.map((error) => (
          <FieldError key={error} error={error} />
        ))}
      </div>
    </div>
  );
}

/** Whether a drag carries files, rather than text moved between fields. */
function carriesFiles(carried: DataTransfer | null): boolean {
  return carried?.types.includes('Files') ?? false;
}

/** Makes an element accept dropped files; `drop` holds its event handlers. */
export function useDrop(onDrop: (dropped: DataTransfer) => void) {
  const [isOver, setOver] = useState(false);
  useEffect(() => {
    // Otherwise a file dropped beside the zone would replace the page, and the form in it.
    const refuse = (event: globalThis.DragEvent) => {
      if (carriesFiles(event.dataTransfer)) event.preventDefault();
    };
    return follow(window, { dragover: refuse, drop: refuse });
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

/** Preview of a chosen picture, with its name; only the name where the browser cannot draw it (mostly HEIC). */
export function FilePreview({ file, className }: { file: File; className: string }) {
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

interface PdfFieldProps {
  label: string;
  name: string;
  choice: FileChoice;
  /** Whether there is a stored PDF, which stays when none is chosen. */
  hasStored?: boolean;
  error: string | undefined;
}

export function PdfField({ label, name, choice, hasStored = false, error }: PdfFieldProps) {
  const { file, trouble } = choice;
  const opener = useRef<HTMLButtonElement>(null);
  return (
    <FileZone
      label={label}
      name={name}
      accept={PDFS.accept}
      isRequired={!hasStored}
      isFilled={file !== undefined}
      action={file || hasStored ? 'Changer de fichier' : 'Choisir un fichier'}
      Icon={FileUp}
      opener={opener}
      help={`${hasStored ? 'Le fichier actuel reste si vous n’en choisissez pas d’autre. ' : ''}Déposez un fichier ici. PDF, ${atMost(PDF_BYTES)}.`}
      errors={[trouble ?? error]}
      onFiles={([chosen]) => choice.choose(chosen)}
    >
      {file && (
        <p className="flex items-center gap-2 wrap-anywhere">
          <FileText className="size-6 shrink-0 text-pine" />
          {namedFile(file)}
        </p>
      )}
    </FileZone>
  );
}

/** Progress bar of an upload; `part` is the part sent so far, from 0 to 1. */
export function SendingBar({ part }: { part: number }) {
  const isSent = part >= 1;
  return (
    <div>
      <progress className="bar" max={1} value={isSent ? undefined : part} aria-label="Envoi des fichiers" />
      <p className="text-sm" role="status">
        {isSent
          ? 'Envoi terminé, le site prépare ce qu’il a reçu…'
          : `Envoi\u202f: ${Math.round(part * 100)}\u202f%`}
      </p>
    </div>
  );
}
