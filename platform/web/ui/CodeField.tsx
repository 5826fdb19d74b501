import { TextField } from './Field.tsx';

interface CodeFieldProps {
  help: string;
  error: string | undefined;
}

/** A code that an application on a telephone shows; the telephone may offer it by itself. */
export function CodeField({ help, error }: CodeFieldProps) {
  return (
    <TextField
      label="Code à 6 chiffres"
      name="code"
      isRequired
      inputMode="numeric"
      autoComplete="one-time-code"
      maxLength={10}
      help={help}
      error={error}
    />
  );
}
