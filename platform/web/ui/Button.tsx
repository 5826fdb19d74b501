import type { ComponentProps, ReactNode } from 'react';

interface ButtonProps extends ComponentProps<'button'> {
  quiet?: boolean;
  danger?: boolean;
}

/** A button that submits no form unless it is said to; `quiet`: beside one that counts more, `danger`: it takes away. */
export function Button({ quiet, danger, className, ...rest }: ButtonProps) {
  const classes = ['button', quiet && 'quiet', danger && 'danger', className];
  return <button type="button" {...rest} className={classes.filter(Boolean).join(' ')} />;
}

/** A button of an icon alone, with the label that screen readers read. */
export function RoundButton({
  label,
  className = '',
  children,
  ...rest
}: { label: ReactNode } & ComponentProps<'button'>) {
  return (
    <button type="button" {...rest} className={`round-button ${className}`}>
      {children}
      <span className="sr-only">{label}</span>
    </button>
  );
}
