import type { ReactNode } from 'react';

interface PartProps {
  /** Under which the page is led to it. */
  id: string;
  title: string;
  children: ReactNode;
}

/** A part of the page of a stay, under its title. */
export function Part({ id, title, children }: PartProps) {
  return (
    <section aria-labelledby={id} className="card overflow-clip! gap-4 p-5 sm:p-6">
      <h2 id={id} tabIndex={-1} className="text-xl">
        {title}
      </h2>
      {children}
    </section>
  );
}
