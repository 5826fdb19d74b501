import { Bold, Italic, Link2, List } from 'lucide-react';
import { useId, useRef, useState } from 'react';
import type { ItemKind, Field as KindField } from '#features/content/shared/kind.ts';
import { useQuestion } from '#platform/web/questions.ts';
import { useSite } from '#platform/web/site.tsx';
import { Field, FieldError, SelectField, TextArea, TextField } from '#platform/web/ui/Field.tsx';
import { LoadState } from '#platform/web/ui/LoadState.tsx';
import { MarkdownText } from '#platform/web/ui/MarkdownText.tsx';
import { EMPLOYEES, type Employee, inTreeOrder, NOBODY } from './useItems.ts';

interface ContentFieldsProps {
  kind: ItemKind;
  /** Undefined: a new item. */
  id: number | undefined;
  values: Record<string, string>;
  errors: Record<string, string>;
}

/** Maximum length in characters of a field that gets no Markdown tools and preview. */
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
      return field.max > SHORT ? <MarkdownField {...common} /> : <TextArea {...common} />;
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

interface MarkdownFieldProps {
  label: string;
  name: string;
  isRequired: boolean;
  defaultValue: string;
  error: string | undefined;
}

interface Tool {
  label: string;
  Icon: typeof Bold;
  /** Returns the replacement of the selected text. */
  change(selected: string): string;
  /** True when the replacement must start a line. */
  isBlock?: boolean;
}

const ADDRESS = 'https://';

const TOOLS: readonly Tool[] = [
  { label: 'Gras', Icon: Bold, change: (text) => `**${text || 'texte en gras'}**` },
  { label: 'Italique', Icon: Italic, change: (text) => `*${text || 'texte en italique'}*` },
  {
    label: 'Liste',
    Icon: List,
    isBlock: true,
    change: (text) =>
      (text || 'premier point')
        .split('\n')
        .map((line) => `- ${line}`)
        .join('\n'),
  },
  { label: 'Lien', Icon: Link2, change: (text) => `[${text || 'texte du lien'}](${ADDRESS})` },
];

/** A field for a long text in light Markdown, with a small toolbar and a preview. */
function MarkdownField({ defaultValue, ...field }: MarkdownFieldProps) {
  const area = useRef<HTMLTextAreaElement>(null);
  const [preview, setPreview] = useState<string>();
  // An error hides the preview, so that the text area can take the focus and be corrected.
  const isPreview = preview !== undefined && field.error === undefined;
  const toggle = (
    <div className="flex items-center">
      {!isPreview &&
        TOOLS.map((tool) => (
          <button
            key={tool.label}
            type="button"
            className="round-button"
            title={tool.label}
            onClick={() => area.current && apply(tool, area.current)}
          >
            <tool.Icon aria-hidden="true" className="size-5" />
            <span className="sr-only">{tool.label}</span>
          </button>
        ))}
      <button
        type="button"
        className="bar-link text-pine aria-pressed:bg-mist"
        aria-pressed={isPreview}
        onClick={() => setPreview(isPreview ? undefined : (area.current?.value ?? ''))}
      >
        Aperçu
      </button>
    </div>
  );
  return (
    <Field {...field} aside={toggle} help={HELP}>
      {(control) => (
        <>
          {/* Stays in the form while the preview is shown, as it holds the text. */}
          <textarea
            {...control}
            ref={area}
            rows={10}
            defaultValue={defaultValue}
            className={`input py-2 ${isPreview ? 'hidden' : ''}`}
          />
          {isPreview && (
            <div className="min-h-40 rounded-[10px] border border-dashed border-edge bg-card p-4">
              {preview.trim() ? (
                <MarkdownText text={preview} />
              ) : (
                <p className="text-quiet">Le texte est vide.</p>
              )}
            </div>
          )}
        </>
      )}
    </Field>
  );
}

const HELP =
  'Une ligne vide sépare deux paragraphes\u202f; «\u00a0-\u00a0» au début d’une ligne en fait un point de liste.';

/** Inserts text as if it had been typed, so that Ctrl Z undoes it and the form receives the event. */
function apply({ change, isBlock = false }: Tool, area: HTMLTextAreaElement): void {
  area.focus();
  const { selectionStart, selectionEnd, value } = area;
  const before = value.slice(0, selectionStart);
  const lead = isBlock && before !== '' && !before.endsWith('\n') ? '\n\n' : '';
  const text = lead + change(value.slice(selectionStart, selectionEnd));
  if (!document.execCommand('insertText', false, text)) {
    area.setRangeText(text, selectionStart, selectionEnd, 'end');
    area.dispatchEvent(new InputEvent('input', { bubbles: true }));
  }
  const address = text.endsWith(`(${ADDRESS})`)
    ? selectionStart + text.length - ADDRESS.length - 1
    : undefined;
  if (address !== undefined) area.setSelectionRange(address, address + ADDRESS.length);
}
