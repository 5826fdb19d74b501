/* Apart from the fields, which pages without a form need not load. */

/** The error message of a field as a sentence: messages come in lower case, and get their capital here. */
export function FieldError({ id, error }: { id?: string; error: string | undefined }) {
  if (!error) return null;
  return (
    <p id={id} className="text-sm font-semibold text-coral">
      {error.charAt(0).toUpperCase() + error.slice(1)}
    </p>
  );
}
