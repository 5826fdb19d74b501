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

interface RoundButtonProps extends ComponentProps<'button'> {
  /** What screen readers read. */
  label: ReactNode;
  /** True while a press can do no more. Not `disabled`, which would take the keyboard’s focus away. */
  isAtEnd?: boolean;
}

/** A button of an icon alone. */
export function RoundButton({
  label,
  isAtEnd,
  onClick,
  className = '',
  children,
  ...rest
}: RoundButtonProps) {
  return (
    <button
      type="button"
      aria-disabled={isAtEnd}
      onClick={isAtEnd ? undefined : onClick}
      {...rest}
      className={`round-button ${className}`}
    >
      {children}
      <span className="sr-only">{label}</span>
    </button>
  );
}
