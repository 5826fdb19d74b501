import { useState } from 'react';
import { useSite } from '../../site.tsx';
import { TextField } from '../../ui/Field.tsx';

interface PublicationFieldsProps {
  values: Record<string, string>;
  errors: Record<string, string>;
}

/** From when and until when an item is public; both blank: at once and for good. */
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
        <TextField
          label="Publié à partir du"
          name="publie_du"
          type="datetime-local"
          defaultValue={values.publie_du}
          error={errors.publie_du}
        />
        <TextField
          label="Publié jusqu’au"
          name="publie_au"
          type="datetime-local"
          defaultValue={values.publie_au}
          error={errors.publie_au}
        />
      </div>
    </details>
  );
}
