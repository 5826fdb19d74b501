import { useId, useState } from 'react';
import type { ItemKind, Field as KindField } from '#features/content/shared/kind.ts';
import { useQuestion } from '#platform/web/questions.ts';
import { useSite } from '#platform/web/site.tsx';
import { Field, FieldError, SelectField, TextArea, TextField } from '#platform/web/ui/Field.tsx';
import { LoadState } from '#platform/web/ui/LoadState.tsx';
import { LongTextField } from '#platform/web/ui/LongTextField.tsx';
import { EMPLOYEES, type Employee, inTreeOrder, NOBODY } from './useItems.ts';

interface ContentFieldsProps {
  kind: ItemKind;
  /** Undefined: a new item. */
  id: number | undefined;
  values: Record<string, string>;
  errors: Record<string, string>;
}

/** Maximum length in characters of a field that has no formatting. */
const SHORT = 2_000;

/** The text fields of a kind, in its order. */
export function ContentFields({ kind, id, values, errors }: ContentFieldsProps) {
  return Object.entries(kind.fields).map(([name, field]) => (
    <ContentField
      key={name}
      name={name}
      field={field}
      id={id}
      value={values[name] ?? ''}
      error={errors[name]}
    />
  ));
}

interface ContentFieldProps {
  name: string;
  field: KindField;
  id: number | undefined;
  value: string;
  error: string | undefined;
}

function ContentField({ name, field, id, value, error }: ContentFieldProps) {
  const common = { name, label: field.label, isRequired: field.required, error, defaultValue: value };
  switch (field.type) {
    case 'paragraphs':
      return field.max > SHORT ? <LongTextField {...common} max={field.max} /> : <TextArea {...common} />;
    case 'address':
      return (
        <TextField
          {...common}
          type="url"
          inputMode="url"
          placeholder="https://"
          help="Par exemple https://www.exemple.fr"
        />
      );
    case 'day':
      return <TextField {...common} type="date" />;
    case 'moment':
      return <TextField {...common} type="datetime-local" />;
    case 'line':
      return <TextField {...common} />;
    case 'email':
      return <TextField {...common} type="email" />;
    case 'phone':
      return <TextField {...common} type="tel" />;
    case 'choice':
      return (
        // Required: there is no blank option.
        <SelectField {...common} isRequired>
          {field.options?.map((option) => (
            <option key={option}>{option}</option>
          ))}
        </SelectField>
      );
    case 'person':
      return <PersonField {...common} self={id} />;
    case 'tick':
      return <TickField {...common} />;
  }
}

interface PersonFieldProps {
  name: string;
  label: string;
  error: string | undefined;
  defaultValue: string;
  /** The employee whose manager is chosen: neither they nor anyone in their team can be. */
  self: number | undefined;
}

/** Dropdown of all employees, in the order of the chart. */
function PersonField({ defaultValue, self, ...field }: PersonFieldProps) {
  const query = useQuestion(EMPLOYEES, 'Erreur lors de la récupération des employés:', {
    isFresh: true,
  });
  return (
    <Field {...field}>
      {(control) => (
        <>
          {/* Until the list is loaded, the form still sends the stored value. */}
          {!query.data && <input type="hidden" name={control.name} value={defaultValue} />}
          <LoadState query={query} failed="La liste des employés n’a pas pu être chargée.">
            {(people) => (
              <select {...control} className="input" defaultValue={defaultValue}>
                <option value="">{NOBODY}</option>
                {/* A manager missing from the list gets an option: « nobody » would be selected instead, and saved. */}
                {defaultValue !== '' && !people.some(({ id }) => String(id) === defaultValue) && (
                  <option value={defaultValue}>Inchangé</option>
                )}
                {inTreeOrder(people, self).map(({ person, depth }) => (
                  <option key={person.id} value={person.id}>
                    {INDENT.repeat(depth) + labelOf(person)}
                  </option>
                ))}
              </select>
            )}
          </LoadState>
        </>
      )}
    </Field>
  );
}

/** No-break spaces: browsers drop plain ones at the start of an option. */
const INDENT = '\u00a0\u00a0\u00a0\u00a0';

function labelOf({ nom, prenom, poste }: Employee): string {
  return `${nom} ${prenom} — ${poste}`;
}

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

interface TickFieldProps {
  name: string;
  label: string;
  error: string | undefined;
  /** `1` for ticked, `0` for not. */
  defaultValue: string;
}

/** A checkbox, which sends `1` or `0`. */
function TickField({ name, label, error, defaultValue }: TickFieldProps) {
  const id = useId();
  return (
    // Moved up, close to the field that it is about.
    <div className="-mt-3">
      {/* An unticked box sends nothing; then this is the only, hence last, value of the name, and counts. */}
      <input type="hidden" name={name} value="0" />
      <label className="flex min-h-11 w-fit items-center gap-3">
        <input
          type="checkbox"
          name={name}
          value="1"
          defaultChecked={defaultValue === '1'}
          className="size-5 shrink-0"
          aria-invalid={error !== undefined}
          aria-describedby={error ? `${id}-error` : undefined}
        />
        {label}
      </label>
      <FieldError id={`${id}-error`} error={error} />
    </div>
  );
}
