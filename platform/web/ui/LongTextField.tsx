import { type ComponentType, useEffect, useRef, useState } from 'react';
import { numberText } from '#platform/web/ui/texts.ts';
import type { TextEditorProps } from './editor/TextEditor.tsx';
import { Field } from './Field.tsx';

interface LongTextFieldProps {
  label: string;
  name: string;
  isRequired: boolean;
  defaultValue: string;
  error: string | undefined;
  /** Maximum length, in characters of light Markdown. */
  max: number;
}

/**
 * A field for a long text in light Markdown, written as it will look. The text itself is in a textarea, which the form
 * reads; it is shown only when the editor cannot be fetched.
 */
export function LongTextField({ defaultValue, max, ...field }: LongTextFieldProps) {
  const source = useRef<HTMLTextAreaElement>(null);
  const Editor = useEditor();
  const [length, setLength] = useState(defaultValue.length);
  const isPlain = Editor === null;
  return (
    <Field {...field} help={isPlain ? PLAIN : undefined}>
      {(control) => (
        <>
          <textarea
            {...(isPlain
              ? control
              : { name: control.name, 'aria-required': control['aria-required'], hidden: true })}
            ref={source}
            rows={10}
            defaultValue={defaultValue}
            className={isPlain ? 'input py-2' : undefined}
            onInput={({ currentTarget }) => setLength(currentTarget.value.length)}
          />
          {Editor === undefined && <div aria-busy="true" className="editor min-h-72" />}
          {Editor && <Editor source={source} control={control} />}
          <p role="status" className="text-sm text-quiet empty:hidden">
            {roomLeft(length, max)}
          </p>
        </>
      )}
    </Field>
  );
}

const PLAIN =
  'La mise en forme n’a pas pu être chargée\u202f: vous pouvez écrire quand même, ou actualiser la page, votre texte reste en brouillon. Une ligne vide sépare deux paragraphes\u202f; «\u00a0-\u00a0» au début d’une ligne en fait un point de liste.';

let fetched: ComponentType<TextEditorProps> | undefined;

/** The editor; undefined while it is being fetched, null when it could not be. */
function useEditor(): ComponentType<TextEditorProps> | undefined | null {
  const [Editor, setEditor] = useState<ComponentType<TextEditorProps> | null | undefined>(() => fetched);
  useEffect(() => {
    if (fetched) return;
    import('./editor/TextEditor.tsx').then(
      ({ TextEditor }) => {
        fetched = TextEditor;
        setEditor(() => TextEditor);
      },
      () => setEditor(null),
    );
  }, []);
  return Editor;
}

/** Part of the length from which what is left is said. */
const NEAR = 0.9;

/** Says what is left in hundreds, so that it is not read out at each key. */
function roomLeft(length: number, max: number): string {
  const count = (number: number) => numberText(number);
  if (length > max)
    return `Ce texte dépasse de ${count(length - max)} la longueur permise (${count(max)}\u00a0caractères).`;
  if (length < NEAR * max) return '';
  return `Il reste moins de ${count(Math.ceil((max - length + 1) / 100) * 100)}\u00a0caractères sur ${count(max)}.`;
}
