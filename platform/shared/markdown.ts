/*
 * Parser of the light Markdown of long texts: paragraphs, lists, bold, italics, links, small titles. It makes a tree,
 * never HTML: anything else in a text (tags, tables, code) stays plain text. Each character is read a bounded number
 * of times, as texts are long and some are hostile.
 */

export type Inline =
  | string
  | { type: 'break' }
  | { type: 'strong' | 'em'; children: Inline[] }
  | { type: 'link'; href: string; children: Inline[] };

export type Block =
  | { type: 'paragraph' | 'heading'; children: Inline[] }
  | { type: 'list'; isOrdered: boolean; start: number; items: Inline[][] };

const HEADING = /^ {0,3}#{1,6}[ \t]+(.+)$/;
const BULLET = /^[ \t]*[-*+][ \t]+(.*)$/;
const NUMBER = /^[ \t]*(\d{1,9})[.)][ \t]+(.*)$/;

/** Parses a text. Line breaks in a paragraph are kept; a list ends at a blank line or at an item of the other kind. */
export function readMarkdown(text: string): Block[] {
  const blocks: Block[] = [];
  let lines: string[] = [];
  let list: { isOrdered: boolean; start: number; items: string[][] } | undefined;

  function flush(): void {
    if (lines.length > 0) blocks.push({ type: 'paragraph', children: inlineLines(lines) });
    if (list) blocks.push({ type: 'list', ...list, items: list.items.map(inlineLines) });
    lines = [];
    list = undefined;
  }
  function addItem(isOrdered: boolean, start: number, line: string): void {
    if (list?.isOrdered !== isOrdered) {
      flush();
      list = { isOrdered, start, items: [] };
    }
    list?.items.push([line]);
  }
  for (const line of text.split(/\r\n?|\n/)) {
    const [, heading] = HEADING.exec(line) ?? [];
    const [, bullet] = BULLET.exec(line) ?? [];
    const [, number, numbered] = NUMBER.exec(line) ?? [];
    if (line.trim() === '') flush();
    else if (heading !== undefined) {
      flush();
      blocks.push({ type: 'heading', children: readInline(heading) });
    } else if (bullet !== undefined) addItem(false, 1, bullet);
    else if (numbered !== undefined) addItem(true, Number(number), numbered);
    // An indented line after an item continues it.
    else if (list && /^[ \t]/.test(line)) list.items.at(-1)?.push(line.trim());
    else {
      if (list) flush();
      lines.push(line);
    }
  }
  flush();
  return blocks;
}

/** What a text says, on one line and without its marks. */
export function plainText(markdown: string): string {
  const said = (inlines: readonly Inline[]): string =>
    inlines
      .map((one) => (typeof one === 'string' ? one : one.type === 'break' ? ' ' : said(one.children)))
      .join('');
  return readMarkdown(markdown)
    .flatMap((block) => (block.type === 'list' ? block.items : [block.children]))
    .map((inlines) => said(inlines).trim())
    .join(' ');
}

function inlineLines(lines: string[]): Inline[] {
  return readInline(lines.map((line) => line.trim()).join('\n'));
}

const PLAIN = String.raw`[^\s<>"'()[\]]`;
/** What matches a bare address, brackets in it by pairs, as in « https://fr.wikipedia.org/wiki/Été_(saison) ». */
export const BARE_ADDRESS = String.raw`https?:\/\/${PLAIN}{1,2000}(?:\(${PLAIN}{0,200}\)${PLAIN}{0,200}){0,5}`;
/** What matches the end of a text that is an address which more signs would make longer. */
export const OPEN_ADDRESS = String.raw`https?:\/\/${PLAIN}*(?:\(${PLAIN}{0,200}\)${PLAIN}*){0,5}(?:\(${PLAIN}{0,200})?$`;
const TARGET = String.raw`[^()\s]{1,2000}(?:\([^()\s]{0,200}\)[^()\s]{0,200}){0,5}`;

/**
 * Matches inline syntax, in this order: an escaped sign, a line break, a link, a bare address, the marks of bold and
 * italics. Lengths are bounded, so that no match can scan to the end of the text.
 */
const SIGNS = new RegExp(
  String.raw`\\([\\*_[\]()#+.!-])|(\n)|\[([^[\]\n]{1,500})\]\((${TARGET})\)|(${BARE_ADDRESS})|(\*\*|__)|([*_])`,
  'g',
);

/**
 * Largest number of marks open at once; beyond it the oldest is dropped and stays plain text. A hostile text could
 * otherwise open thousands, all searched at each mark, and nest as deep.
 */
const DEPTH = 8;

interface Open {
  mark: string;
  /** Index in `found` of its first child. */
  from: number;
}

function readInline(text: string, mayLink = true): Inline[] {
  const found: Inline[] = [];
  const open: Open[] = [];
  let at = 0;
  for (const match of text.matchAll(SIGNS)) {
    const [sign, escaped, newline, label, target, address, strong, em] = match;
    const index = match.index;
    addText(found, text.slice(at, index));
    at = index + sign.length;
    if (escaped !== undefined) addText(found, escaped);
    else if (newline !== undefined) found.push({ type: 'break' });
    else if (label !== undefined && target !== undefined) {
      const isLink = mayLink && isSafe(target);
      if (isLink) found.push({ type: 'link', href: target, children: readInline(label, false) });
      else addText(found, sign);
    } else if (address !== undefined) {
      // The full stop after an address ends the sentence, not the address.
      const href = address.replace(/[.,;:!?]+$/, '');
      if (mayLink) found.push({ type: 'link', href, children: [href] });
      else addText(found, href);
      addText(found, address.slice(href.length));
    } else addMark(found, open, strong ?? em ?? '', text[index - 1] ?? ' ', text[at] ?? ' ');
  }
  addText(found, text.slice(at));
  return found;
}

/** Handles a mark of bold or italics: it closes an open one, else may open one, else is plain text. */
function addMark(found: Inline[], open: Open[], mark: string, before: string, after: string): void {
  const isWord = (character: string) => /[\p{L}\p{N}]/u.test(character);
  const inWord = mark.startsWith('_') && isWord(before) && isWord(after);
  const place = open.findLastIndex((one) => one.mark === mark && one.from < found.length);
  const begun = open[place];
  if (begun && !inWord && /\S/.test(before)) {
    open.length = place;
    const children = found.splice(begun.from);
    // Removes the opening mark, which was added before the children as text.
    found.pop();
    found.push({ type: mark.length === 2 ? 'strong' : 'em', children });
    return;
  }
  found.push(mark);
  if (inWord || !/\S/.test(after)) return;
  open.push({ mark, from: found.length });
  if (open.length > DEPTH) open.shift();
}

function addText(found: Inline[], text: string): void {
  if (text !== '') found.push(text);
}

/** Whether a link leads to the web, to a page of the site or to a mailbox; links of other schemes stay text. */
export function isSafe(href: string): boolean {
  return /^https?:\/\/[^\s/]/i.test(href) || /^mailto:[^\s]+@/i.test(href) || /^\/(?![/\\])/.test(href);
}
