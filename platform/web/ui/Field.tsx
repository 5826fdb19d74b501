import { type InputHTMLAttributes, type ReactNode, useId } from 'react';
import { Button } from './Button.tsx';
import { FieldError } from './FieldError.tsx';

interface FieldProps {
  label: string;
  name: string;
  /** Error message, shown under the field and read out with it. */
  error?: string | undefined;
  help?: ReactNode;
  isRequired?: boolean;
  /** Error of a required field left blank, in place of « ce champ est obligatoire. ». */
  missing?: string;
  /** Beside the label: a button, a count. */
  aside?: ReactNode;
  /** True for the field that gets the focus when its dialog, or its page, opens. */
  isFirstFocus?: boolean;
  children(control: ControlProps): ReactNode;
}

/** Attributes that the control inside must have, which connect it to its label, help and error. */
export interface ControlProps {
  id: string;
  name: string;
  'aria-required': boolean;
  'aria-invalid': boolean;
  'aria-describedby': string | undefined;
  'data-first-focus': true | undefined;
  'data-missing': string | undefined;
}

/** A field with any control: label above, help and error under it. */
export function Field(props: FieldProps) {
  const { label, name, error, help, isRequired = false, missing, aside } = props;
  const { isFirstFocus = false, children } = props;
  const id = useId();
  const described = [help ? `${id}-help` : '', error ? `${id}-error` : ''].filter(Boolean).join(' ');
  const control = {
    id,
    name,
    'aria-required': isRequired,
    'aria-invalid': error !== undefined,
    'aria-describedby': described || undefined,
    'data-first-focus': isFirstFocus || undefined,
    'data-missing': missing,
  };
  return (
    <div className="flex flex-col gap-1.5">
      <div className="flex flex-wrap items-end justify-between gap-x-4">
        <label id={labelOf(id)} htmlFor={id} className="font-semibold" data-required={isRequired}>
          {label}
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

interface LabelledProps {
  label: string;
  /** Shown below the control, and read with it. */
  help?: string | undefined;
  /** Renders the control with these attributes. */
  children(control: { id: string; className: string; 'aria-describedby': string | undefined }): ReactNode;
}

/** A control that is no field of a form: what is chosen or typed counts at once. */
export function Labelled({ label, help, children }: LabelledProps) {
  const id = useId();
  return (
    <div className="flex min-w-0 flex-col gap-1.5">
      <label htmlFor={id} className="font-semibold wrap-anywhere">
        {label}
      </label>
      {children({ id, className: 'input', 'aria-describedby': help && `${id}-help` })}
      {help && (
        <p id={`${id}-help`} className="text-sm text-quiet">
          {help}
        </p>
      )}
    </div>
  );
}

interface DropdownProps extends Omit<LabelledProps, 'children'> {
  value: string | number;
  onChoose(value: string): void;
  children: ReactNode;
}

export function Dropdown({ value, onChoose, children, ...labelled }: DropdownProps) {
  return (
    <Labelled {...labelled}>
      {(control) => (
        <select {...control} value={value} onChange={({ target }) => onChoose(target.value)}>
          {children}
        </select>
      )}
    </Labelled>
  );
}

/** Id of the label of a field, for controls that browsers do not connect with one. */
export function labelOf(id: string): string {
  return `${id}-label`;
}

/** Characters of the longest e-mail address. */
const ADDRESS_MAX = 254;

/** A day, or a moment: an `<input>` that says when it is empty. */
export function DateInput(props: InputHTMLAttributes<HTMLInputElement>) {
  const mark = (input: HTMLInputElement | null) => input?.toggleAttribute('data-empty', input.value === '');
  return (
    <input
      className="input"
      {...props}
      ref={(input) => void mark(input)}
      onInput={({ currentTarget }) => mark(currentTarget)}
    />
  );
}

type TextFieldProps = Omit<FieldProps, 'children'> &
  Pick<
    InputHTMLAttributes<HTMLInputElement>,
    'type' | 'defaultValue' | 'autoComplete' | 'maxLength' | 'inputMode' | 'placeholder' | 'readOnly'
  >;

export function TextField(props: TextFieldProps) {
  const { label, name, error, help, isRequired, missing, aside, isFirstFocus, ...input } = props;
  const Input = input.type?.startsWith('date') ? DateInput : 'input';
  const isEmail = input.type === 'email';
  return (
    <Field {...props}>
      {(control) => (
        <Input
          type="text"
          maxLength={isEmail ? ADDRESS_MAX : undefined}
          {...control}
          {...input}
          className="input"
        />
      )}
    </Field>
  );
}

interface TextAreaProps extends Omit<FieldProps, 'children'> {
  rows?: number;
  maxLength?: number;
  defaultValue?: string;
  /** The text, for a controlled field; used with `onType`. */
  value?: string | undefined;
  onType?(text: string): void;
}

export function TextArea({ rows = 4, maxLength, defaultValue, value, onType, ...field }: TextAreaProps) {
  return (
    <Field {...field}>
      {(control) => (
        <textarea
          {...control}
          rows={rows}
          maxLength={maxLength}
          defaultValue={defaultValue}
          value={value}
          onChange={onType && (({ target }) => onType(target.value))}
          className="input py-2"
        />
      )}
    </Field>
  );
}

interface SelectFieldProps extends Omit<FieldProps, 'children'> {
  defaultValue?: string;
  /** The chosen value, for a controlled field; used with `onChoose`. */
  value?: string | number;
  onChoose?(value: string): void;
  children: ReactNode;
}

export function SelectField({ defaultValue, value, onChoose, children, ...field }: SelectFieldProps) {
  return (
    <Field {...field}>
      {(control) => (
        <select
          {...control}
          className="input"
          defaultValue={defaultValue}
          value={value}
          onChange={onChoose && (({ target }) => onChoose(target.value))}
        >
          {children}
        </select>
      )}
    </Field>
  );
}

export function Options({ labels }: { labels: Record<string, string> }) {
  return Object.entries(labels).map(([value, label]) => (
    <option key={value} value={value}>
      {label}
    </option>
  ));
}

/** Returns what a field of a form has by its name: its error, and the value that it starts with. */
export function fieldsOf(
  errors: Readonly<Record<string, string>>,
  values: Readonly<Record<string, string | undefined>> = {},
) {
  return (name: string) => ({ name, error: errors[name], defaultValue: values[name] ?? '' });
}

interface NameFieldsProps {
  person: { nom: string; prenom: string } | undefined;
  errors: Record<string, string>;
}

export function NameFields({ person, errors }: NameFieldsProps) {
  const field = fieldsOf(errors, person);
  return (
    <>
      <TextField {...field('nom')} label="Nom" isRequired maxLength={100} />
      <TextField {...field('prenom')} label="Prénom" isRequired maxLength={100} />
    </>
  );
}

export function Tick({ className = '', children, ...input }: InputHTMLAttributes<HTMLInputElement>) {
  return (
    <label className={`flex min-h-11 w-fit items-center gap-3 ${className}`}>
      <input type="checkbox" {...input} className="size-5 shrink-0" />
      <span>{children}</span>
    </label>
  );
}

interface SubmitButtonProps {
  yes: string;
  /** Its label while the form is being sent. */
  busy: string;
  isBusy: boolean;
  /** True while something required is missing. */
  isIncomplete?: boolean;
}

export function SubmitButton({ yes, busy, isBusy, isIncomplete = false }: SubmitButtonProps) {
  return (
    <Button type="submit" aria-disabled={isBusy || isIncomplete}>
      {isBusy ? busy : yes}
    </Button>
  );
}

export function FormButtons({ onCancel, ...submit }: SubmitButtonProps & { onCancel(): void }) {
  return (
    <div className="form-buttons flex flex-wrap gap-3">
      <SubmitButton {...submit} />
      <Button quiet onClick={onCancel}>
        Annuler
      </Button>
    </div>
  );
}
