import type { ComponentProps } from 'react';

interface ButtonProps extends ComponentProps<'button'> {
  quiet?: boolean;
  danger?: boolean;
}

/** A button that submits no form unless it is said to; `quiet`: beside one that counts more, `danger`: it takes away. */
export function Button({ quiet, danger, className, ...rest }: ButtonProps) {
  const classes = ['button', quiet && 'quiet', danger && 'danger', className];
  return <button type="button" {...rest} className={classes.filter(Boolean).join(' ')} />;
}
