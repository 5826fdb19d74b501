import type { LucideIcon } from 'lucide-react';
import { type ReactNode, type RefObject, useId, useRef } from 'react';
import { FieldError } from './Field.tsx';
import { useDrop } from './useDrop.ts';

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
