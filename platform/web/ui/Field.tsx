import { type InputHTMLAttributes, type ReactNode, useId } from 'react';

interface FieldProps {
  label: string;
  name: string;
  /** What is wrong with it; shown under it, and read out with it. */
  error?: string | undefined;
  help?: ReactNode;
  isRequired?: boolean;
  /** Beside the label: a button, a count. */
  aside?: ReactNode;
  /** Where the focus goes when its dialog, or its page, opens. */
  isFirstFocus?: boolean;
  children(control: ControlProps): ReactNode;
}

/** What the control inside must carry so that label, help and error are its own. */
interface ControlProps {
  id: string;
  name: string;
  required: boolean;
  'aria-invalid': boolean;
  'aria-describedby': string | undefined;
  'data-first-focus': true | undefined;
}

/** A label above, help and error under, whatever the control. */
export function Field(props: FieldProps) {
  const { label, name, error, help, isRequired = false, aside, isFirstFocus = false, children } = props;
  const id = useId();
  const described = [help ? `${id}-help` : '', error ? `${id}-error` : ''].filter(Boolean).join(' ');
  const control = {
    id,
    name,
    required: isRequired,
    'aria-invalid': error !== undefined,
    'aria-describedby': described || undefined,
    'data-first-focus': isFirstFocus || undefined,
  };
  return (
    <div className="flex flex-col gap-1.5">
      <div className="flex flex-wrap items-end justify-between gap-x-4">
        <label htmlFor={id} className="font-semibold">
          {label}
          {!isRequired && <span className="font-normal text-quiet"> (facultatif)</span>}
        </label>
        {aside}
      </div>
      {children(control)}
      {help && (
        <p id={`${id}-help`} className="text-sm text-quiet">
          {help}
        </p>
      )}
      <FieldError id={`${id}-error`} error={error} />
    </div>
  );
}

/** What is wrong with a field, as a sentence; errors come without the capital that their place asks for. */
export function FieldError({ id, error }: { id?: string; error: string | undefined }) {
  if (!error) return null;
  return (
    <p id={id} className="text-sm font-semibold text-coral">
      {error.charAt(0).toUpperCase() + error.slice(1)}
    </p>
  );
}

type TextFieldProps = Omit<FieldProps, 'children'> &
  Pick<
    InputHTMLAttributes<HTMLInputElement>,
    'type' | 'defaultValue' | 'autoComplete' | 'maxLength' | 'inputMode' | 'placeholder' | 'readOnly'
  >;

/** A field of one line. */
export function TextField(props: TextFieldProps) {
  const { label, name, error, help, isRequired, aside, isFirstFocus, ...input } = props;
  return (
    <Field {...{ label, name, error, help, isRequired, aside, isFirstFocus }}>
      {(control) => <input type="text" {...control} {...input} className="input" />}
    </Field>
  );
}

interface TextAreaProps extends Omit<FieldProps, 'children'> {
  rows?: number;
  maxLength?: number;
  defaultValue?: string;
  /** Where the text is kept by whoever shows the field, with `onType`. */
  value?: string | undefined;
  onType?(text: string): void;
}

/** A field of several lines. */
export function TextArea({ rows = 4, maxLength, defaultValue, value, onType, ...field }: TextAreaProps) {
  return (
    <Field {...field}>
      {(control) => (
        <textarea
          {...control}
          {...{ rows, maxLength, defaultValue, value }}
          {...(onType && { onChange: ({ target }) => onType(target.value) })}
          className="input py-2"
        />
      )}
    </Field>
  );
}

interface TickFieldProps {
  name: string;
  label: string;
  error: string | undefined;
  /** `1` ticked, `0` not. */
  defaultValue: string;
}

/** A box to tick, which sends `1` or `0`. */
export function TickField({ name, label, error, defaultValue }: TickFieldProps) {
  const id = useId();
  return (
    // Under the field that it is about.
    <div className="-mt-3">
      {/* A box that is not ticked sends nothing; then this counts, being the last of its name. */}
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

interface NameFieldsProps {
  /** Whose names stand in them at first. */
  person: { nom: string; prenom: string } | undefined;
  errors: Record<string, string>;
}

/** The two names of somebody, both required. */
export function NameFields({ person, errors }: NameFieldsProps) {
  return (
    <>
      <TextField
        label="Nom"
        name="nom"
        isRequired
        maxLength={100}
        defaultValue={person?.nom}
        error={errors.nom}
      />
      <TextField
        label="Prénom"
        name="prenom"
        isRequired
        maxLength={100}
        defaultValue={person?.prenom}
        error={errors.prenom}
      />
    </>
  );
}
