import { Search } from 'lucide-react';
import { useEffect, useId, useRef } from 'react';

interface SearchFieldProps {
  text: string;
  onText(text: string): void;
  /** True when it comes in the place of what had the focus. */
  takesFocus: boolean;
}

export function SearchField({ text, onText, takesFocus }: SearchFieldProps) {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (takesFocus) input.current?.focus({ preventScroll: true });
  }, [takesFocus]);
  return (
    <search className="mt-6 flex flex-col gap-1.5 print:hidden">
      <label htmlFor={id} className="font-semibold">
        Rechercher dans les comptes rendus
      </label>
      <div className="relative max-w-xl">
        <Search
          aria-hidden="true"
          className="pointer-events-none absolute inset-y-0 left-3 my-auto size-5 text-quiet"
        />
        <input
          ref={input}
          id={id}
          type="search"
          className="input pl-10"
          autoComplete="off"
          maxLength={100}
          value={text}
          onChange={(event) => onText(event.target.value)}
        />
      </div>
    </search>
  );
}
