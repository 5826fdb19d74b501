import { Bold, Heading, Italic, Link2, List, ListOrdered } from 'lucide-react';
import { type Command, EditorState } from 'prosemirror-state';
import { EditorView } from 'prosemirror-view';
import { type KeyboardEvent, type RefObject, useLayoutEffect, useRef, useState } from 'react';
import { writeMarkdown } from '#platform/shared/writeMarkdown.ts';
import { type ControlProps, labelOf } from '#platform/web/ui/Field.tsx';
import { cleanHtml, sliceOfText, textOfSlice } from './clipboard.ts';
import { linkAt, plugins, pressedTools, removeLink, setLink, TOOLS, type ToolName } from './commands.ts';
import { LinkPanel } from './LinkPanel.tsx';
import { blocksOf, documentOf } from './schema.ts';

export interface TextEditorProps {
  /** Holds the text for the form; read once, then written at each change. */
  source: RefObject<HTMLTextAreaElement | null>;
  control: ControlProps;
}

const BUTTONS: readonly { name: ToolName; label: string; Icon: typeof Bold; keys?: string }[] = [
  { name: 'strong', label: 'Gras', Icon: Bold, keys: 'Control+B' },
  { name: 'em', label: 'Italique', Icon: Italic, keys: 'Control+I' },
  { name: 'heading', label: 'Titre', Icon: Heading },
  { name: 'bullet_list', label: 'Liste à puces', Icon: List },
  { name: 'ordered_list', label: 'Liste numérotée', Icon: ListOrdered },
  { name: 'link', label: 'Lien', Icon: Link2, keys: 'Control+K' },
];

/** A text written as it will look. It changes only by typing: a text that was only opened stays as it was stored. */
export function TextEditor({ source, control }: TextEditorProps) {
  const place = useRef<HTMLDivElement>(null);
  const [view, setView] = useState<EditorView>();
  const [pressed, setPressed] = useState<Record<ToolName, boolean>>();
  /** The link panel, while it is open: the link found, or none, and whether there is a text to link. */
  const [link, setLinkPanel] = useState<{ href: string | undefined; needsText: boolean }>();
  const openLink = useRef(() => {});

  // Before it is shown: a toolbar is never without the text that it is for.
  useLayoutEffect(() => {
    if (!place.current || !source.current) return;
    const made = mount(place.current, source.current, () => openLink.current(), setPressed);
    setView(made);
    return () => made.destroy();
  }, [source]);

  openLink.current = () => {
    if (!view) return;
    setLinkPanel({ href: linkAt(view.state)?.href, needsText: view.state.selection.empty });
  };
  const { id } = control;
  const isInvalid = control['aria-invalid'];
  const describedBy = control['aria-describedby'];
  useLayoutEffect(() => {
    const attributes: Record<string, string> = {
      id,
      role: 'textbox',
      class: 'prose editor-text',
      'aria-multiline': 'true',
      'aria-labelledby': labelOf(id),
      'aria-required': String(control['aria-required']),
      'aria-invalid': String(isInvalid),
    };
    if (describedBy) attributes['aria-describedby'] = describedBy;
    view?.setProps({ attributes });
    // A label is connected by the browser with its own controls only.
    const label = document.getElementById(labelOf(id));
    const focus = () => view?.focus();
    label?.addEventListener('click', focus);
    return () => label?.removeEventListener('click', focus);
  }, [view, id, isInvalid, describedBy, control['aria-required']]);

  function run(command: Command): void {
    if (!view) return;
    command(view.state, view.dispatch, view);
    view.focus();
  }
  function closeLink(command?: Command): void {
    setLinkPanel(undefined);
    if (command) run(command);
    else view?.focus();
  }
  return (
    <div className="editor" data-invalid={isInvalid || undefined}>
      <Toolbar
        pressed={pressed}
        controls={id}
        onTool={(name) => (name === 'link' ? openLink.current() : run(TOOLS[name]))}
      />
      {link && (
        <LinkPanel
          href={link.href}
          needsText={link.needsText && link.href === undefined}
          onSet={(href, text) => closeLink(setLink(href, text))}
          onRemove={() => closeLink(removeLink)}
          onCancel={() => closeLink()}
        />
      )}
      <div ref={place} />
    </div>
  );
}

/** The editor on the text of `source`, which gets each change as if it was typed there. */
function mount(
  place: HTMLElement,
  source: HTMLTextAreaElement,
  openLink: () => void,
  setPressed: (pressed: Record<ToolName, boolean>) => void,
): EditorView {
  const first = documentOf(source.value);
  const stored = source.value;
  let shown = '';
  const view = new EditorView(place, {
    state: EditorState.create({ doc: first, plugins: plugins(openLink) }),
    attributes: { class: 'prose editor-text' },
    dispatchTransaction(transaction) {
      view.updateState(view.state.apply(transaction));
      show();
      if (!transaction.docChanged) return;
      const { doc } = view.state;
      // Undone to the start, it is what was stored again.
      const text = doc.eq(first) ? stored : writeMarkdown(blocksOf(doc));
      // Not by `value`, at which React would look away.
      source.setRangeText(text, 0, source.value.length, 'end');
      source.dispatchEvent(new InputEvent('input', { bubbles: true }));
    },
    transformPastedHTML: cleanHtml,
    clipboardTextParser: sliceOfText,
    clipboardTextSerializer: textOfSlice,
    // A picture without a text is for the form.
    handlePaste: (_view, { clipboardData }) =>
      clipboardData !== null && clipboardData.files.length > 0 && !clipboardData.types.includes('text/plain'),
    handleDOMEvents: {
      keydown: (_view, event) => {
        // In a text Ctrl K is for a link, not for the search.
        if (event.key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey)) event.stopPropagation();
        return false;
      },
    },
  });
  // What the form listens to is the source.
  place.addEventListener('input', (event) => event.stopPropagation());
  function show(): void {
    const pressed = pressedTools(view.state);
    const key = JSON.stringify(pressed);
    if (key !== shown) setPressed(pressed);
    shown = key;
  }
  show();
  return view;
}

interface ToolbarProps {
  pressed: Record<ToolName, boolean> | undefined;
  /** Id of the text. */
  controls: string;
  onTool(name: ToolName): void;
}

/** The tools: one stop for Tab, arrows within. */
function Toolbar({ pressed, controls, onTool }: ToolbarProps) {
  const bar = useRef<HTMLDivElement>(null);
  const [at, setAt] = useState(0);
  function onKeyDown(event: KeyboardEvent): void {
    const last = BUTTONS.length - 1;
    const next = {
      ArrowRight: at === last ? 0 : at + 1,
      ArrowLeft: at === 0 ? last : at - 1,
      Home: 0,
      End: last,
    }[event.key];
    if (next === undefined) return;
    event.preventDefault();
    setAt(next);
    bar.current?.querySelectorAll('button')[next]?.focus();
  }
  return (
    <div
      ref={bar}
      role="toolbar"
      aria-label="Mise en forme"
      aria-controls={controls}
      className="editor-tools"
      onKeyDown={onKeyDown}
    >
      {BUTTONS.map(({ name, label, Icon, keys }, index) => (
        <button
          key={name}
          type="button"
          className="round-button aria-pressed:bg-mist"
          title={keys ? `${label} (${keys.replace('Control+', 'Ctrl\u00a0')})` : label}
          aria-keyshortcuts={keys}
          aria-pressed={pressed?.[name] ?? false}
          tabIndex={index === at ? 0 : -1}
          onFocus={() => setAt(index)}
          // The text keeps the focus and its selection.
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => onTool(name)}
        >
          <Icon className="size-5" />
          <span className="sr-only">{label}</span>
        </button>
      ))}
    </div>
  );
}
