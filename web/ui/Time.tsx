interface TimeProps {
  /** As machines write it. */
  value: string;
  /** The same in the visitor's words. */
  children: string;
}

/**
 * A date as the visitor writes it. A browser may know it in slightly other words than the server: those that
 * came with the page stay.
 */
export function Time({ value, children }: TimeProps) {
  return (
    <time dateTime={value} suppressHydrationWarning>
      {children}
    </time>
  );
}
