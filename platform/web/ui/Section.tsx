import { type ReactNode, useId } from 'react';

interface SectionProps {
  /** Where something leads to it; otherwise any. */
  id?: string;
  title: ReactNode;
  className?: string | undefined;
  /** Class of the title. */
  look?: string | undefined;
  children: ReactNode;
}

/** A part of a page, named by the title above it. */
export function Section({ id: own, title, className, look, children }: SectionProps) {
  const made = useId();
  const id = own ?? made;
  return (
    <section aria-labelledby={id} className={className}>
      <h2 id={id} className={look}>
        {title}
      </h2>
      {children}
    </section>
  );
}
