import { type KeyboardEvent, type RefObject, useEffect, useId, useRef, useState } from 'react';
import { linkTarget } from '#platform/shared/writeMarkdown.ts';
import { FieldError } from '#platform/web/ui/FieldError.tsx';
import { Button } from '../Button.tsx';

interface LinkPanelProps {
  /** The address of the link at the selection; undefined: there is none. */
  href: string | undefined;
  /** True when nothing is selected that the link could be made of. */
  needsText: boolean;
  onSet(href: string, text: string): void;
  onRemove(): void;
  onCancel(): void;
}

/** Asks for the address of a link. No form of its own, as it stands in one. */
export function LinkPanel({ href, needsText, onSet, onRemove, onCancel }: LinkPanelProps) {
  const id = useId();
  const address = useRef<HTMLInputElement>(null);
  const text = useRef<HTMLInputElement>(null);
  const [isWrong, setWrong] = useState(false);
  useEffect(() => address.current?.select(), []);

  function apply(): void {
    const typed = address.current?.value.trim() ?? '';
    const target = targetOf(typed);
    setWrong(target === undefined);
    if (target === undefined) address.current?.focus();
    else onSet(target, text.current?.value.trim() || typed);
  }
  function onKeyDown(event: KeyboardEvent): void {
    const isInField = event.target instanceof HTMLInputElement;
    if (event.key === 'Enter' && isInField) {
      event.preventDefault();
      apply();
    }
    if (event.key === 'Escape') {
      event.preventDefault();
      onCancel();
    }
  }
  return (
    <fieldset
      aria-label="Lien"
      className="flex flex-col gap-3 border-b border-mist p-4"
      onKeyDown={onKeyDown}
      // Nothing of the form has changed yet.
      onInput={(event) => event.stopPropagation()}
    >
      <LinkInput
        id={`${id}-address`}
        label="Adresse du lien"
        input={address}
        first={href ?? ''}
        placeholder="https://"
        error={isWrong ? WRONG : undefined}
      />
      {needsText && <LinkInput id={`${id}-text`} label="Texte du lien" input={text} first="" />}
      <div className="flex flex-wrap gap-3">
        <Button onClick={apply}>{href === undefined ? 'Ajouter le lien' : 'Changer le lien'}</Button>
        {href !== undefined && (
          <Button danger onClick={onRemove}>
            Retirer le lien
          </Button>
        )}
        <Button quiet onClick={onCancel}>
          Annuler
        </Button>
      </div>
    </fieldset>
  );
}

const WRONG = 'Indiquez une adresse qui commence par https://, http://, mailto: ou /.';

/** The address that was meant: people leave out the beginning. */
function targetOf(typed: string): string | undefined {
  const target = linkTarget(typed);
  if (target !== undefined) return target;
  if (/^[^\s@:/]+@[^\s@/]+\.[^\s@/]+$/.test(typed)) return linkTarget(`mailto:${typed}`);
  return /^[\p{L}\p{N}-]+(\.[\p{L}\p{N}-]+)+([/?#].*)?$/u.test(typed)
    ? linkTarget(`https://${typed}`)
    : undefined;
}

interface LinkInputProps {
  id: string;
  label: string;
  input: RefObject<HTMLInputElement | null>;
  first: string;
  placeholder?: string;
  error?: string | undefined;
}

/** A field without a name, which is no part of the form. */
function LinkInput({ id, label, input, first, placeholder, error }: LinkInputProps) {
  return (
    <div className="flex flex-col gap-1.5">
      <label htmlFor={id} className="font-semibold">
        {label}
      </label>
      <input
        ref={input}
        id={id}
        className="input"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        defaultValue={first}
        placeholder={placeholder}
        aria-invalid={error !== undefined}
        aria-describedby={error ? `${id}-error` : undefined}
      />
      <FieldError id={`${id}-error`} error={error} />
    </div>
  );
}
