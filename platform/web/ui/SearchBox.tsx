import { Search } from 'lucide-react';
import type { ComponentProps, ReactNode } from 'react';
import { Labelled } from './Field.tsx';

interface SearchBoxProps {
  label: string;
  value: string;
  onType(text: string): void;
  /** Announced under the box while typing, such as how many items are left. */
  children?: ReactNode;
}

export function SearchBox({ label, value, onType, children }: SearchBoxProps) {
  return (
    <search className="flex flex-col gap-1.5">
      <Labelled label={label}>
        {(control) => (
          <input
            {...control}
            type="search"
            autoComplete="off"
            maxLength={100}
            value={value}
            onChange={({ target }) => onType(target.value)}
          />
        )}
      </Labelled>
      {children && (
        <p role="status" className="text-sm text-quiet">
          {children}
        </p>
      )}
    </search>
  );
}

/** A search field with a magnifier in it; `className` is that of its box. */
export function SearchInput({ className, ...props }: ComponentProps<'input'>) {
  return (
    <div className={`relative ${className ?? ''}`}>
      <Search className="pointer-events-none absolute inset-y-0 left-3 my-auto size-5 text-quiet" />
      <input type="search" className="input pl-10" autoComplete="off" {...props} />
    </div>
  );
}
