import { Bold, Italic, Link2, List } from 'lucide-react';
import { useRef, useState } from 'react';
import { Field } from './Field.tsx';
import { MarkdownText } from './MarkdownText.tsx';

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
export function MarkdownField({ defaultValue, ...field }: MarkdownFieldProps) {
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
