import { BARE_ADDRESS, type Block, type Inline, isSafe, OPEN_ADDRESS } from './markdown.ts';

/*
 * Writer of the light Markdown that `readMarkdown` reads, apart from it as visitors need only the reader. What is
 * written reads as the same blocks, in their settled form: lines without blanks around them, marks that start and end
 * at a word, an empty line as the end of a paragraph, bare addresses as links, and nothing that shows nothing.
 */

/** A stretch of text in one style, or a line break: '\n'. */
interface Run {
  text: string;
  strong: boolean;
  em: boolean;
  href: string | undefined;
}

type Mark = 'strong' | 'em';
const MARKS: readonly Mark[] = ['strong', 'em'];

export function writeMarkdown(blocks: readonly Block[]): string {
  return blocks.flatMap(blockTexts).join('\n\n');
}

/** Largest number that the reader takes for one of a list. */
const LAST_NUMBER = 999_999_999;

function blockTexts(block: Block): string[] {
  switch (block.type) {
    case 'heading': {
      const runs = linesOf(block.children).flatMap((line, index) => (index > 0 ? [SPACE, ...line] : line));
      return runs.length > 0 ? [`## ${inline(runs)}`] : [];
    }
    case 'paragraph':
      return paragraphsOf(linesOf(block.children)).map((lines) =>
        inline(withBreaks(lines)).split('\n').map(asText).join('\n'),
      );
    case 'list': {
      const items = block.items
        .map((item) => linesOf(item).filter((line) => line.length > 0))
        .filter((lines) => lines.length > 0)
        .map((lines, index) => {
          const sign = block.isOrdered ? `${Math.min(block.start + index, LAST_NUMBER)}.` : '-';
          const [first = '', ...others] = inline(withBreaks(lines)).split('\n');
          return [`${sign} ${first}`, ...others.map((line) => `  ${asText(line)}`)].join('\n');
        });
      return items.length > 0 ? [items.join('\n')] : [];
    }
  }
}

/** A line that the reader takes neither for a title nor for an item of a list. */
function asText(line: string): string {
  return line.replace(/^(#{1,6}|[-+*])(?=[ \t])/, '\\$1').replace(/^(\d{1,9})([.)])(?=[ \t])/, '$1\\$2');
}

const BREAK: Run = { text: '\n', strong: false, em: false, href: undefined };
const SPACE: Run = { ...BREAK, text: ' ' };

function withBreaks(lines: Run[][]): Run[] {
  return lines.flatMap((line, index) => (index > 0 ? [BREAK, ...line] : line));
}

/** Lines between empty lines. */
function paragraphsOf(lines: Run[][]): Run[][][] {
  const found: Run[][][] = [[]];
  for (const line of lines) {
    if (line.length > 0) found.at(-1)?.push(line);
    else if (found.at(-1)?.length !== 0) found.push([]);
  }
  return found.filter((one) => one.length > 0);
}

/** The runs of each line, without blanks around it. */
function linesOf(children: readonly Inline[]): Run[][] {
  const lines: Run[][] = [[]];
  for (const run of joined(children.flatMap((one) => runsOf(one)))) {
    if (run.text === '\n') lines.push([]);
    else lines.at(-1)?.push(...linked(run));
  }
  return lines.map((line) => {
    const words = line.flatMap(wordsOf);
    const first = words.findIndex(isWord);
    return first < 0 ? [] : words.slice(first, words.findLastIndex(isWord) + 1);
  });
}

/** The joiners that `wrapped` adds, and what would end a line although it is none. */
const UNSEEN = /\u2060/g;
const LINE_ENDS = /[\r\n\u2028\u2029]/g;

function runsOf(one: Inline, style: Run = BREAK): Run[] {
  if (typeof one === 'string') {
    const text = one.replace(UNSEEN, '').replace(LINE_ENDS, ' ');
    return text === '' ? [] : [{ ...style, text }];
  }
  switch (one.type) {
    case 'break':
      return [BREAK];
    case 'link':
      return one.children.flatMap((child) => runsOf(child, { ...style, href: linkTarget(one.href) }));
    default:
      return one.children.flatMap((child) => runsOf(child, { ...style, [one.type]: true }));
  }
}

/** An address as it can stand in a link of the text; undefined when the reader would not link to it. */
export function linkTarget(address: string): string | undefined {
  const isBalanced = /^[^()]+(?:\([^()]{0,200}\)[^()]{0,200}){0,5}$/.test(address);
  const strange = isBalanced ? /\s/g : /[\s()]/g;
  const href = address.trim().replace(strange, (sign) => ENCODED[sign] ?? encodeURIComponent(sign));
  return href.length <= 2_000 && isSafe(href) ? href : undefined;
}

const ENCODED: Record<string, string> = { '(': '%28', ')': '%29' };

function joined(runs: Run[]): Run[] {
  const found: Run[] = [];
  for (const run of runs) {
    const last = found.at(-1);
    if (last && last.text !== '\n' && run.text !== '\n' && isSameStyle(last, run)) {
      found[found.length - 1] = { ...last, text: last.text + run.text };
    } else found.push(run);
  }
  return found;
}

function isSameStyle(one: Run, other: Run): boolean {
  return one.strong === other.strong && one.em === other.em && one.href === other.href;
}

const ADDRESS = new RegExp(`(${BARE_ADDRESS})`);

/** Bare addresses become links, as the reader makes them; brackets leave their link, whose label cannot have any. */
function linked(run: Run): Run[] {
  if (run.href !== undefined) {
    return run.text
      .split(/([[\]]+)/)
      .map((text, index) => ({ ...run, text, href: index % 2 === 1 ? undefined : run.href }));
  }
  return run.text.split(ADDRESS).flatMap((text, index) => {
    if (index % 2 === 0) return [{ ...run, text }];
    const href = text.replace(/[.,;:!?]+$/, '');
    const rest = { ...run, text: text.slice(href.length) };
    return isSafe(href) ? [{ ...run, text: href, href }, rest] : [{ ...run, text }];
  });
}

function wordsOf(run: Run): Run[] {
  return (run.text.match(/\s+|\S+/g) ?? []).map((text) => ({ ...run, text }));
}

function isWord({ text }: Run): boolean {
  return /\S/.test(text);
}

/** Matches the end of a text in which the reader would take any sign that follows for a part of an address. */
const SWALLOWS = new RegExp(OPEN_ADDRESS);

/** Takes the marks off words that an address would swallow them of. */
function unswallowed(words: Run[]): Run[] {
  return words.map((word, index) => {
    const before = words[index - 1];
    const isSwallowed = before?.href === undefined && SWALLOWS.test(before?.text ?? '') && isWord(word);
    return isSwallowed || (word.href === undefined && SWALLOWS.test(word.text))
      ? { ...word, strong: false, em: false }
      : word;
  });
}

/** Takes the marks off the blanks at both ends of what they mark. */
function trimmed(items: Item[]): Item[] {
  const found = items.map((item) => ({ ...item }));
  for (const mark of MARKS) {
    for (const inOrder of [found, found.toReversed()]) {
      let isMarked = false;
      for (const item of inOrder) {
        if (/\S/.test(item.raw)) isMarked = item[mark];
        else item[mark] &&= isMarked;
        isMarked &&= item[mark];
      }
    }
  }
  return found;
}

/** A part of a line: a text, or the beginning or the end of a mark. */
type Part = { raw: string } | Delimiter;
interface Delimiter {
  mark: Mark;
  isEnd: boolean;
}

/** Writes runs, of which '\n' are the line breaks. */
function inline(words: Run[]): string {
  const items = written(trimmed(itemsOf(joined(unswallowed(words)))));
  const parts: Part[] = [];
  const open: Delimiter[] = [];
  items.forEach((item, index) => {
    const kept = open.findIndex(({ mark }) => !item[mark]);
    if (kept >= 0) parts.push(...closed(open.splice(kept)));
    const length = (mark: Mark) => {
      const end = items.findIndex((other, place) => place > index && !other[mark]);
      return end < 0 ? items.length : end;
    };
    const begun = MARKS.filter((mark) => item[mark] && !open.some((one) => one.mark === mark))
      // What lasts longer begins first, so that the other ends within.
      .sort((one, other) => length(other) - length(one))
      .map((mark) => ({ mark, isEnd: false }));
    open.push(...begun);
    parts.push(...begun, { raw: item.raw });
  });
  parts.push(...closed(open));
  return withSigns(parts);
}

function closed(open: Delimiter[]): Delimiter[] {
  return open.toReversed().map(({ mark }) => ({ mark, isEnd: true }));
}

/**
 * Writes the marks: bold as `**`, italics as `*`, but as `_` where it would touch `**`. In the middle of a word `_` is
 * a plain sign; then a word joiner, which nobody sees, ends the word.
 */
function withSigns(parts: Part[]): string {
  const isStrong = (part: Part | undefined) => part !== undefined && 'mark' in part && part.mark === 'strong';
  const touches = (at: number) => isStrong(parts[at - 1]) || isStrong(parts[at + 1]);
  let sign = '*';
  return parts
    .map((part, at) => {
      if ('raw' in part) return part.raw;
      if (part.mark === 'strong') return '**';
      if (!part.isEnd) {
        const end = parts.findIndex(
          (other, place) => place > at && 'mark' in other && other.mark === 'em' && other.isEnd,
        );
        sign = touches(at) || touches(end) ? '_' : '*';
      }
      const [before, after] = [parts[at - 1], parts[at + 1]];
      const isInWord =
        before !== undefined &&
        after !== undefined &&
        'raw' in before &&
        'raw' in after &&
        WORD.test(before.raw.at(-1) ?? '') &&
        WORD.test(after.raw[0] ?? '');
      if (sign === '*' || !isInWord) return sign;
      return part.isEnd ? `${sign}\u2060` : `\u2060${sign}`;
    })
    .join('');
}

const WORD = /[\p{L}\p{N}]/u;

/** A word, a blank, or a whole link or address, which has the marks that all of its runs have. */
type Item = Record<Mark, boolean> & { raw: string; isLink: boolean };

/** The items of which those of one style are one, with escapes. */
function written(items: Item[]): Item[] {
  const found: Item[] = [];
  for (const item of items) {
    const last = found.at(-1);
    const isSame = last && !last.isLink && !item.isLink && last.strong === item.strong && last.em === item.em;
    if (isSame) last.raw += item.raw;
    else found.push({ ...item });
  }
  return found.map((item) => (item.isLink ? item : { ...item, raw: escaped(item.raw) }));
}

function itemsOf(runs: Run[]): Item[] {
  const items: Item[] = [];
  for (let at = 0; at < runs.length; ) {
    const run = runs[at] as Run;
    if (run.href === undefined) {
      items.push(...wordsOf(run).map((word) => ({ ...word, raw: word.text, isLink: false })));
      at++;
      continue;
    }
    const end = runs.findIndex((other, place) => place > at && other.href !== run.href);
    const group = runs.slice(at, end < 0 ? undefined : end);
    const isBare =
      group.length === 1 &&
      !run.strong &&
      !run.em &&
      run.text === run.href &&
      ADDRESS.exec(run.text)?.[0] === run.text &&
      mayPrecede(runs[at - 1]) &&
      mayFollow(runs, at + 1);
    if (isBare) items.push({ ...run, raw: run.text, isLink: true });
    else items.push(...linkItems(group, run.href));
    at += group.length;
  }
  return items;
}

function mayPrecede(run: Run | undefined): boolean {
  return run === undefined || (run.href === undefined && /[\s("'«]$/.test(run.text));
}

/** Whether an address ends before the runs from `at` on. */
function mayFollow(runs: Run[], at: number): boolean {
  const next = runs[at];
  if (next === undefined) return true;
  const end = /^[.,;:!?]*(\s|$)/.exec(next.text)?.[1];
  const isPlain = next.href === undefined && !next.strong && !next.em;
  return isPlain && end !== undefined && (end !== '' || at === runs.length - 1);
}

/** Largest length of a label that the reader takes. */
const LABEL = 500;

function linkItems(group: Run[], href: string): Item[] {
  const first = group[0] as Run;
  // An address in a label would swallow the signs of marks.
  const isMixed =
    group.some((run) => !isSameStyle(run, first)) && group.some(({ text }) => ADDRESS.test(text));
  if (isMixed) return group.flatMap((run) => linkItems([run], href));
  const around = { strong: group.every(({ strong }) => strong), em: group.every(({ em }) => em) };
  const label = inline(
    group.flatMap((run) =>
      wordsOf({
        text: run.text,
        strong: run.strong && !around.strong,
        em: run.em && !around.em,
        href: undefined,
      }),
    ),
  );
  if (!/\S/.test(label)) return [{ ...around, raw: label, isLink: false }];
  if (label.length <= LABEL) return [{ ...around, raw: `[${label}](${href})`, isLink: true }];
  const middle = Math.ceil(group.length / 2);
  const halves =
    group.length > 1 ? [group.slice(0, middle), group.slice(middle)] : halvesOf(first).map((half) => [half]);
  return halves.flatMap((half) => linkItems(half, href));
}

function halvesOf(run: Run): Run[] {
  const middle = Math.floor(run.text.length / 2);
  const at = /[\udc00-\udfff]/.test(run.text[middle] ?? '') ? middle + 1 : middle;
  return [run.text.slice(0, at), run.text.slice(at)].map((text) => ({ ...run, text }));
}

const ESCAPABLE = new RegExp(String.raw`${BARE_ADDRESS}|[\\*_(]`, 'g');

/** What the reader takes for a sign gets a backslash, and so does a backslash before it; addresses stay as they are. */
function escaped(text: string): string {
  return text.replace(ESCAPABLE, (sign: string, index: number) => {
    const [before = '', after = ''] = [text[index - 1], text[index + 1]];
    const isPlain = {
      '\\': after !== '' && !/[\\*_[\]()#+.!-]/.test(after),
      '*': /\s/.test(before) && /\s/.test(after),
      _: WORD.test(before) && WORD.test(after),
      '(': before !== ']',
    }[sign];
    return isPlain === false ? `\\${sign}` : sign;
  });
}
