import { baseKeymap, chainCommands, splitBlock, toggleMark } from 'prosemirror-commands';
import { history, redo, undo } from 'prosemirror-history';
import {
  InputRule,
  inputRules,
  textblockTypeInputRule,
  undoInputRule,
  wrappingInputRule,
} from 'prosemirror-inputrules';
import { keymap } from 'prosemirror-keymap';
import { Fragment, type Mark, type MarkType, type Node, type NodeType } from 'prosemirror-model';
import { splitListItem } from 'prosemirror-schema-list';
import {
  type Command,
  type EditorState,
  type Plugin,
  Selection,
  TextSelection,
  type Transaction,
} from 'prosemirror-state';
import { schema } from './schema.ts';

const { nodes, marks } = schema;

export type ToolName = 'strong' | 'em' | 'heading' | 'bullet_list' | 'ordered_list' | 'link';

/** The tools that apply where the selection is. */
export function pressedTools(state: EditorState): Record<ToolName, boolean> {
  const { lines } = linesOf(state);
  const isAll = (type: NodeType) => lines.length > 0 && lines.every(({ parent }) => parent === type);
  return {
    strong: hasMark(state, marks.strong),
    em: hasMark(state, marks.em),
    heading: isAll(nodes.heading),
    bullet_list: isAll(nodes.bullet_list),
    ordered_list: isAll(nodes.ordered_list),
    link: linkAt(state) !== undefined,
  };
}

function hasMark({ selection, storedMarks, doc }: EditorState, type: MarkType): boolean {
  const { $from, from, to, empty } = selection;
  if (empty) return type.isInSet(storedMarks ?? $from.marks()) !== undefined;
  return doc.rangeHasMark(from, to, type);
}

export const TOOLS: Record<Exclude<ToolName, 'link'>, Command> = {
  strong: toggleMark(marks.strong),
  em: toggleMark(marks.em),
  heading: toggleLines(nodes.heading),
  bullet_list: toggleLines(nodes.bullet_list),
  ordered_list: toggleLines(nodes.ordered_list),
};

/** A paragraph, a title or an item; `parent` is the list of an item, else the type of the block. */
interface Line {
  parent: NodeType;
  block: Node;
}

/** The lines that the selection touches, and what surrounds them: the items of their lists before and after. */
function linesOf({ doc, selection }: EditorState) {
  const { $from, $to } = TextSelection.between(selection.$from, selection.$to);
  const [first, last] = [$from.index(0), $to.index(0)];
  const lines: Line[] = [];
  let head: Node | undefined;
  let tail: Node | undefined;
  for (let index = first; index <= last; index++) {
    const block = doc.child(index);
    if (!isList(block)) {
      lines.push({ parent: block.type, block });
      continue;
    }
    const from = index === first ? $from.index(1) : 0;
    const to = index === last ? $to.index(1) + 1 : block.childCount;
    const items = block.children;
    if (from > 0) head = block.copy(Fragment.from(items.slice(0, from)));
    if (to < items.length) tail = block.copy(Fragment.from(items.slice(to)));
    for (const item of items.slice(from, to))
      lines.push({ parent: block.type, block: item.firstChild ?? nodes.paragraph.create() });
  }
  return { $from, $to, first, last, lines, head, tail };
}

function isList({ type }: Node): boolean {
  return type === nodes.bullet_list || type === nodes.ordered_list;
}

/** Makes the lines of the selection titles or items; or paragraphs again, when all of them are. */
function toggleLines(type: NodeType): Command {
  return (state, dispatch) => {
    const isUndone = linesOf(state).lines.every(({ parent }) => parent === type);
    return setLines(isUndone ? nodes.paragraph : type)(state, dispatch);
  };
}

function setLines(type: NodeType): Command {
  return (state, dispatch) => {
    if (!dispatch) return true;
    const { $from, $to, first, last, lines, head, tail } = linesOf(state);
    const made = blocksFrom(type, lines);
    const all = [head, ...made, tail].filter((node) => node !== undefined);
    const { tr } = state;
    const start = $from.posAtIndex(first, 0);
    tr.replaceWith(start, $to.posAtIndex(last + 1, 0), all);

    // The same places in the same lines; a title had its line breaks replaced one by one.
    const starts: number[] = [];
    const from = start + (head?.nodeSize ?? 0);
    const length = made.reduce((sum, node) => sum + node.nodeSize, 0);
    tr.doc.nodesBetween(from, from + length, (node, at) => {
      if (node.isTextblock) starts.push(at + 1);
    });
    const [anchor = 1, other = 1] = [
      (starts[0] ?? 1) + $from.parentOffset,
      (starts.at(-1) ?? 1) + $to.parentOffset,
    ];
    tr.setSelection(TextSelection.create(tr.doc, anchor, other));
    for (const edge of [from + length, from]) joinLists(tr, edge);
    dispatch(tr.scrollIntoView());
    return true;
  };
}

function blocksFrom(type: NodeType, lines: Line[]): Node[] {
  const paragraphs = lines.map(({ block }) => nodes.paragraph.create(null, block.content));
  if (type === nodes.paragraph) return paragraphs;
  if (type === nodes.heading) return paragraphs.map((one) => nodes.heading.create(null, withoutBreaks(one)));
  return [
    type.create(
      null,
      paragraphs.map((one) => nodes.list_item.create(null, one)),
    ),
  ];
}

function withoutBreaks({ children }: Node): Node[] {
  return children.map((one) => (one.type === nodes.hard_break ? schema.text(' ') : one));
}

/** Two lists of bullets that came to stand side by side become one, and numbers go on. */
function joinLists(tr: Transaction, at: number): void {
  const { nodeBefore, nodeAfter, depth } = tr.doc.resolve(at);
  if (depth === 0 && nodeBefore && nodeAfter && isList(nodeBefore) && nodeBefore.type === nodeAfter.type)
    tr.join(at);
}

/** The cursor of a selection without extent. */
function cursorOf({ selection }: EditorState) {
  return selection instanceof TextSelection ? (selection.$cursor ?? undefined) : undefined;
}

/** Enter in a list: the next item, or none behind an empty one. */
const enter: Command = (state, dispatch, view) => {
  const { $from, empty } = state.selection;
  if ($from.depth < 3) return false;
  if (!empty) {
    if (dispatch && view) {
      dispatch(state.tr.deleteSelection());
      enter(view.state, dispatch, view) || splitBlock(view.state, dispatch);
    }
    return true;
  }
  if ($from.parent.content.size === 0) return setLines(nodes.paragraph)(state, dispatch);
  return splitListItem(nodes.list_item)(state, dispatch);
};

/** Backspace at the start of an item takes its sign away; behind a list, it goes on with the last item. */
const backspace: Command = (state, dispatch) => {
  const $cursor = cursorOf(state);
  if (!$cursor || $cursor.parentOffset > 0) return false;
  if ($cursor.depth === 3) return setLines(nodes.paragraph)(state, dispatch);
  const before = state.doc.resolve($cursor.before(1));
  if (!before.nodeBefore || !isList(before.nodeBefore)) return false;
  const end = Selection.findFrom(before, -1, true);
  if (end) dispatch?.(state.tr.delete(end.from, $cursor.pos).scrollIntoView());
  return end !== null;
};

/** Delete at the end of a line before or in a list brings the next line into it. */
const forward: Command = (state, dispatch) => {
  const $cursor = cursorOf(state);
  if (!$cursor || $cursor.parentOffset < $cursor.parent.content.size) return false;
  const after = state.doc.resolve($cursor.after());
  const next = Selection.findFrom(after, 1, true);
  const isByList = $cursor.depth === 3 || (after.nodeAfter !== null && isList(after.nodeAfter));
  if (!next || !isByList) return false;
  dispatch?.(state.tr.delete($cursor.pos, next.from).scrollIntoView());
  return true;
};

/** A line break; a title has one line. */
const lineBreak: Command = (state, dispatch, view) => {
  if (state.selection.$from.parent.type === nodes.heading) return splitBlock(state, dispatch, view);
  dispatch?.(state.tr.replaceSelectionWith(nodes.hard_break.create()).scrollIntoView());
  return true;
};

/** Signs at the start of a line make a list or a title, and addresses become links once a blank follows. */
const RULES = inputRules({
  rules: [
    wrappingInputRule(/^\s*[-*+•]\s$/, nodes.bullet_list),
    wrappingInputRule(
      /^\s*(\d{1,9})[.)]\s$/,
      nodes.ordered_list,
      ([, number]) => ({ start: Number(number) }),
      ([, number], list) => list.childCount + Number(list.attrs.start) === Number(number),
    ),
    textblockTypeInputRule(/^#{1,6}\s$/, nodes.heading),
    new InputRule(/(?:^|\s)(https?:\/\/[^\s<>"'()[\]]+)\s$/, ({ tr }, [, address = ''], _start, end) => {
      const href = address.replace(/[.,;:!?]+$/, '');
      const from = end - address.length;
      if (!/\/\/[^\s/]/.test(href)) return null;
      return tr.addMark(from, from + href.length, marks.link.create({ href })).insertText(' ', end);
    }),
  ],
});

/** The editor's keys. Tab has none, so that it leaves. */
export function plugins(openLink: () => void): Plugin[] {
  const keys: Record<string, Command> = {
    'Mod-b': TOOLS.strong,
    'Mod-i': TOOLS.em,
    'Mod-k': () => {
      openLink();
      return true;
    },
    'Mod-z': undo,
    'Shift-Mod-z': redo,
    'Mod-y': redo,
    'Shift-Enter': lineBreak,
    'Mod-Enter': lineBreak,
    Enter: enter,
    Backspace: chainCommands(undoInputRule, backspace),
    Delete: forward,
  };
  return [RULES, keymap(keys), keymap(baseKeymap), history()];
}

/** The link at the selection, whole. */
export function linkAt({
  doc,
  selection,
}: EditorState): { from: number; to: number; href: string } | undefined {
  const { $from, from, to, empty } = selection;
  // Right behind a link there is none for what is typed, but this is the one that was meant.
  const beside = (empty ? $from.nodeBefore : $from.nodeAfter)?.marks ?? [];
  const mark: Mark | undefined = marks.link.isInSet($from.marks()) ?? marks.link.isInSet(beside);
  if (!mark) return undefined;
  const { parent } = $from;
  const found = mark;
  const start = $from.start();
  let span: { from: number; to: number } | undefined;
  parent.forEach((child, offset) => {
    if (!found.isInSet(child.marks)) return;
    const [begin, end] = [start + offset, start + offset + child.nodeSize];
    if (span?.to === begin) span.to = end;
    else if (!span || span.to < from) span = { from: begin, to: end };
  });
  if (!span || span.from > to || doc.nodeSize < span.to) return undefined;
  return { ...span, href: String(mark.attrs.href) };
}

/** Links the selection, or the link that it is in, to `href`; without one, writes `text` as a link. */
export function setLink(href: string, text: string): Command {
  return (state, dispatch) => {
    const found = linkAt(state);
    const { from, to } = found ?? state.selection;
    const { tr } = state;
    const mark = marks.link.create({ href });
    const end = from === to ? from + text.length : to;
    if (from === to) tr.insertText(text, from);
    tr.removeMark(from, end, marks.link).addMark(from, end, mark);
    tr.setSelection(TextSelection.create(tr.doc, end));
    dispatch?.(tr.removeStoredMark(marks.link).scrollIntoView());
    return true;
  };
}

export const removeLink: Command = (state, dispatch) => {
  const found = linkAt(state);
  if (found) dispatch?.(state.tr.removeMark(found.from, found.to, marks.link));
  return found !== undefined;
};
