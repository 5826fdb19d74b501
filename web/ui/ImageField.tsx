import { ImagePlus, Trash2 } from 'lucide-react';
import { type ClipboardEvent, type DragEvent, useEffect, useId, useRef, useState } from 'react';
import type { Illustration } from '../../shared/content/kind.ts';
import { TextField } from './Field.tsx';
import { Picture } from './Picture.tsx';

/** Bytes that the server takes at most; said before sending rather than after. */
const MAX_BYTES = 15 * 1024 * 1024;
const TYPES = 'image/jpeg,image/png,image/webp,image/avif,image/heic,image/heif,.heic,.heif';
const SEEMS_PICTURE = /^image\/(jpeg|png|webp|avif|hei[cf])$|\.(jpe?g|png|webp|avif|hei[cf])$/i;

/** The picture chosen for a form: a new file, the removal of the one there is, or no change. */
export function usePictureChoice() {
  const [file, setFile] = useState<File>();
  const [isRemoved, setRemoved] = useState(false);
  const [trouble, setTrouble] = useState<string>();

  function choose(chosen: File | undefined): void {
    if (!chosen) return;
    const reason = whyNot(chosen);
    setTrouble(reason);
    if (reason) return;
    setFile(chosen);
    setRemoved(false);
  }
  function take(isTaken: boolean): void {
    setTrouble(undefined);
    setRemoved(isTaken);
    setFile(undefined);
  }
  return {
    file,
    isRemoved,
    isChanged: file !== undefined || isRemoved,
    trouble,
    choose,
    /** Takes the new file back, else the picture there is away. */
    remove: () => take(file === undefined),
    reset: () => take(false),
    /** For the form: a picture pasted anywhere in it is its picture; what comes with a text is the text. */
    paste(event: ClipboardEvent): void {
      const { files, types } = event.clipboardData;
      const pasted = [...files].find(({ type }) => type.startsWith('image/'));
      if (!pasted || types.includes('text/plain')) return;
      event.preventDefault();
      choose(pasted);
    },
  };
}

function whyNot(file: File): string | undefined {
  if (file.size > MAX_BYTES) return 'cette image est trop lourde (15 Mo au plus).';
  // The bytes decide, on the server; this only spares sending what is plainly something else.
  if (!SEEMS_PICTURE.test(file.type) && !SEEMS_PICTURE.test(file.name)) {
    return 'une image JPEG, PNG, WebP, AVIF ou HEIC est attendue.';
  }
  return undefined;
}

interface ImageFieldProps {
  label: string;
  choice: ReturnType<typeof usePictureChoice>;
  /** The picture there is already. */
  current: Illustration | undefined;
  folder: string;
  help: string | undefined;
  error: string | undefined;
  alternativeText: string;
  alternativeTextError: string | undefined;
  /** Part of the form that has left, from 0 to 1, while it is being sent. */
  progress: number | undefined;
}

/** A picture that can be chosen, dropped or pasted, seen at once, described, and taken away. */
export function ImageField(props: ImageFieldProps) {
  const { label, choice, current, folder, error, progress, help } = props;
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const opener = useRef<HTMLButtonElement>(null);
  const [isOver, setOver] = useState(false);
  const trouble = choice.trouble ?? error;
  const kept = choice.isRemoved ? undefined : current;
  const hasPicture = choice.file !== undefined || kept !== undefined;

  useEffect(() => {
    // A file dropped beside the zone would take the place of the page, and of the form in it.
    const refuse = (event: globalThis.DragEvent) => event.preventDefault();
    window.addEventListener('dragover', refuse);
    window.addEventListener('drop', refuse);
    return () => {
      window.removeEventListener('dragover', refuse);
      window.removeEventListener('drop', refuse);
    };
  }, []);
  const drop = {
    onDragOver: (event: DragEvent) => {
      event.preventDefault();
      setOver(true);
    },
    onDragLeave: () => setOver(false),
    onDrop: (event: DragEvent) => {
      event.preventDefault();
      setOver(false);
      choice.choose(event.dataTransfer.files[0]);
    },
  };
  return (
    <div className="flex flex-col gap-1.5">
      <label htmlFor={id} className="font-semibold">
        {label} <span className="font-normal text-quiet">(facultatif)</span>
      </label>
      <div className={`drop-zone ${isOver ? 'over' : ''}`} {...drop}>
        {choice.file && <Preview file={choice.file} />}
        {!choice.file && kept && (
          <Picture
            illustration={kept}
            folder={folder}
            sizes="400px"
            alt=""
            fit="contain"
            className="preview"
          />
        )}
        {progress !== undefined && choice.file && <SendingBar part={progress} />}
        <div className="flex flex-wrap items-center gap-3">
          <button
            ref={opener}
            type="button"
            className="button quiet"
            data-wrong={trouble !== undefined}
            aria-describedby={`${id}-help ${id}-error`}
            onClick={() => input.current?.click()}
          >
            <ImagePlus aria-hidden="true" className="size-5" />
            {hasPicture ? 'Changer d’image' : 'Choisir une image'}
          </button>
          {hasPicture && (
            <button
              type="button"
              className="button danger"
              onClick={() => {
                choice.remove();
                opener.current?.focus();
              }}
            >
              <Trash2 aria-hidden="true" className="size-5" />
              Retirer l’image
            </button>
          )}
        </div>
        <input
          ref={input}
          id={id}
          type="file"
          accept={TYPES}
          className="sr-only"
          tabIndex={-1}
          aria-invalid={trouble !== undefined}
          aria-describedby={`${id}-help ${id}-error`}
          onChange={(event) => {
            choice.choose(event.target.files?.[0]);
            // The same file may be chosen again after it was removed.
            event.target.value = '';
          }}
        />
        <p id={`${id}-help`} className="text-sm text-quiet">
          Déposez ou collez une image ici. JPEG, PNG, WebP, AVIF ou HEIC, 15 Mo au plus. {help}
        </p>
      </div>
      <p id={`${id}-error`} className="text-sm font-semibold text-coral" role="alert">
        {trouble && trouble.charAt(0).toUpperCase() + trouble.slice(1)}
      </p>
      {hasPicture && (
        <div className="mt-3">
          <TextField
            // A new picture shows something else.
            key={choice.file ? choice.file.name : ''}
            label="Texte alternatif de l’image"
            name="texte_alternatif"
            maxLength={500}
            defaultValue={choice.file && current ? '' : props.alternativeText}
            error={props.alternativeTextError}
            help="Ce que l’image montre, pour les personnes qui ne la voient pas."
          />
        </div>
      )}
    </div>
  );
}

/** The file as it will be seen; a browser that cannot draw it (HEIC, mostly) shows its name. */
function Preview({ file }: { file: File }) {
  const [url, setUrl] = useState<string>();
  const [isDrawn, setDrawn] = useState(true);
  useEffect(() => {
    const made = URL.createObjectURL(file);
    setUrl(made);
    setDrawn(true);
    return () => URL.revokeObjectURL(made);
  }, [file]);
  return (
    <figure>
      {url && isDrawn && <img src={url} alt="" className="preview" onError={() => setDrawn(false)} />}
      <figcaption className="mt-1 text-sm">
        {file.name} ({weightOf(file)}){!isDrawn && NOT_DRAWN}
      </figcaption>
    </figure>
  );
}

const NOT_DRAWN = ' — aperçu impossible dans ce navigateur, l’image sera bien envoyée';

function weightOf({ size }: File): string {
  const isSmall = size < 1024 * 1024;
  const amount = size / 1024 / (isSmall ? 1 : 1024);
  const digits = { maximumFractionDigits: isSmall ? 0 : 1 };
  return `${amount.toLocaleString('fr-FR', digits)}\u00a0${isSmall ? 'Ko' : 'Mo'}`;
}

function SendingBar({ part }: { part: number }) {
  const isSent = part >= 1;
  return (
    <div>
      <progress className="bar" max={1} value={isSent ? undefined : part} aria-label="Envoi de l’image" />
      <p className="text-sm" role="status">
        {isSent ? 'Image reçue, le site la prépare…' : `Envoi\u00a0: ${Math.round(part * 100)}\u202f%`}
      </p>
    </div>
  );
}
