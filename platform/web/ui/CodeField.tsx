import { TextField } from './Field.tsx';

interface CodeFieldProps {
  help: string;
  error: string | undefined;
}

/** A field for a code shown by a phone application; the phone may fill it in by itself. */
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
