import { useState } from 'react';
import { useSite } from '#platform/web/site.tsx';
import { TextField } from '#platform/web/ui/Field.tsx';

interface PublicationFieldsProps {
  values: Record<string, string>;
  errors: Record<string, string>;
}

export const PUBLICATION_LABELS = { publie_du: 'Publié à partir du', publie_au: 'Publié jusqu’au' };
const NAMES = ['publie_du', 'publie_au'] as const;

/** Fields for the start and the end of publication; both blank: at once and for good. */
export function PublicationFields({ values, errors }: PublicationFieldsProps) {
  const { timeZone } = useSite();
  const [isOpen, setOpen] = useState(Boolean(values.publie_du || values.publie_au));
  const isWrong = Boolean(errors.publie_du || errors.publie_au);
  return (
    <details
      className="rounded-[14px] bg-mist px-5 py-1 open:pb-5"
      open={isOpen || isWrong}
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
    >
      <summary className="min-h-11 content-center font-semibold">Dates de publication</summary>
      <p className="mt-2 mb-4 text-sm text-quiet">
        Sans date, c’est en ligne tout de suite et jusqu’à sa suppression. Les heures sont celles du site (
        {timeZone}).
      </p>
      <div className="grid gap-4 sm:grid-cols-2">
        {NAMES.map((name) => (
          <TextField
            key={name}
            label={PUBLICATION_LABELS[name]}
            name={name}
            type="datetime-local"
            defaultValue={values[name]}
            error={errors[name]}
          />
        ))}
      </div>
    </details>
  );
}
