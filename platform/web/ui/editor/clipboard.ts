import { DOMSerializer, DOMParser as DocumentParser, Fragment, type Node, Slice } from 'prosemirror-model';
import { writeMarkdown } from '#platform/shared/writeMarkdown.ts';
import { blocksOf, documentOf, schema } from './schema.ts';

/*
 * What is pasted comes in as it would be stored: cleaned of what only its program knows, read into the editor's
 * document, written as light Markdown and read back.
 */

/** HTML from anywhere, as HTML of the editor's own kind. */
export function cleanHtml(html: string): string {
  const inert = withoutCode(html);
  // The editor's own: it knows where its blocks were cut.
  if (/\sdata-pm-slice="/.test(html)) return inert;
  // Nothing in such a document runs or is fetched.
  const { body } = new DOMParser().parseFromString(inert, 'text/html');
  for (const one of body.querySelectorAll(UNREAD)) one.remove();
  for (const part of body.querySelectorAll('[style*="mso-list" i], [class*="MsoListParagraph"]'))
    listWord(part);
  // Some write a list within another behind the item that it belongs to.
  for (const list of body.querySelectorAll(':is(ul, ol) > :is(ul, ol)'))
    if (list.previousElementSibling) list.previousElementSibling.append(list);
    else list.replaceWith(...list.childNodes);
  for (const item of body.querySelectorAll('li')) flatten(item);
  for (const title of body.querySelectorAll('.MsoTitle')) rename(title, 'h1');
  for (const link of body.querySelectorAll('a[href]'))
    link.setAttribute('href', unwrapped(link.getAttribute('href') ?? ''));
  for (const row of body.querySelectorAll('tr')) keepRow(row);
  // Of other tables, each cell is a paragraph.
  for (const cell of body.querySelectorAll('td, th, caption, dt')) rename(cell, 'div');
  for (const space of body.querySelectorAll('.Apple-converted-space')) space.replaceWith(' ');
  const pasted = documentOf(writeMarkdown(blocksOf(DocumentParser.fromSchema(schema).parse(body))));
  const holder = document.createElement('div');
  holder.append(DOMSerializer.fromSchema(schema).serializeFragment(pasted.content));
  return holder.innerHTML;
}

/** Without what the policy of the site would refuse, and the browser complain about at each paste. */
function withoutCode(html: string): string {
  return html
    .replace(/<style[\s>].*?(<\/style>|$)/gis, '')
    .replace(/<[a-z][^>]*>/gi, (tag) => tag.replace(/([\s/"'])on\w+(?=\s*=)/gi, '$1data-on'));
}

const UNREAD =
  'script, style, noscript, template, title, meta, link, img, picture, svg, math, video, audio, canvas, iframe, object, embed, input, button, select, textarea, del, [style*="mso-hide:all" i], [style*="display:none" i], [style*="display: none" i]';

/** Services that mails lead through, with the parameter of their addresses that says where to. */
const WRAPPERS = [
  [/^https:\/\/[a-z\d]+\.safelinks\.protection\.outlook\.com\//i, 'url'],
  [/^https:\/\/www\.google\.com\/url\?/i, 'q'],
] as const;

/** The address that a link leads to in the end. */
function unwrapped(href: string): string {
  const [, parameter] = WRAPPERS.find(([begins]) => begins.test(href)) ?? [];
  return (parameter && new URL(href).searchParams.get(parameter)) || href;
}

/** Makes a row of words one line, its cells apart; cells that lay out whole texts are left as they are. */
function keepRow(row: Element): void {
  const cells = [...row.children].filter((cell) => /\S/.test(cell.textContent ?? ''));
  if (cells.length < 2 || row.querySelector('ul, ol, table, p + p, h1, h2, h3, h4, h5, h6')) return;
  const line = row.ownerDocument.createElement('p');
  for (const cell of cells) {
    if (cell !== cells[0]) line.append(' · ');
    for (const part of cell.querySelectorAll('p, div')) part.replaceWith(...part.childNodes);
    line.append(...cell.childNodes);
  }
  row.replaceChildren(line);
}

function rename(element: Element, name: string): Element {
  const renamed = element.ownerDocument.createElement(name);
  renamed.append(...element.childNodes);
  element.replaceWith(renamed);
  return renamed;
}

/** Word writes the items of its lists as paragraphs that begin with their sign. Makes an item of one. */
function listWord(part: Element): void {
  const style = part.getAttribute('style') ?? '';
  const isItem = /^(p|div|h[1-6])$/i.test(part.tagName) && !part.closest('li');
  const sign = part.querySelector('[style*="mso-list:Ignore" i], [style*="mso-list: Ignore" i]');
  if (!isItem || !sign || !(/mso-list:\s*l\d/i.test(style) || part.className.includes('MsoList'))) return;
  const [, number] = /^\s*\(?(\w{1,9})[.)]/.exec(sign.textContent ?? '') ?? [];
  const name = number === undefined || number === 'o' ? 'ul' : 'ol';
  sign.remove();
  const item = rename(part, 'li');
  const level = Number(/level(\d)/i.exec(style)?.[1] ?? 1);
  let host: Element | null = null;
  let before: Element | null = previousOf(item) ?? null;
  for (let depth = 1; depth < level && before?.classList.contains(MADE); depth++) {
    host = before.lastElementChild;
    before = host?.lastElementChild ?? null;
  }
  if (before?.localName === name && before.classList.contains(MADE)) {
    before.append(item);
    return;
  }
  const list = item.ownerDocument.createElement(name);
  list.className = MADE;
  if (number && /^\d+$/.test(number)) list.setAttribute('start', number);
  if (host) host.append(list);
  else item.replaceWith(list);
  list.append(item);
}

/** Marks the lists made of paragraphs, which the next paragraph continues. */
const MADE = 'passerelle-list';

/** The element right before, unless there is text in between. */
function previousOf(element: Element): Element | undefined {
  let node = element.previousSibling;
  while (node && !(node instanceof Element) && (node.nodeType === 8 || !/\S/.test(node.textContent ?? '')))
    node = node.previousSibling;
  return node instanceof Element ? node : undefined;
}

/** An item has lines, no blocks: light Markdown has no list within another, so that its items become lines with a sign. */
function flatten(item: Element): void {
  const sign = item.parentElement?.closest('li') ? '·' : '–';
  for (const list of item.querySelectorAll('ul, ol')) {
    const first = Number(list.getAttribute('start') ?? 1);
    for (const [index, inner] of [...list.children].entries()) {
      flatten(inner);
      inner.prepend(list.localName === 'ol' ? `${first + index}. ` : `${sign} `);
      rename(inner, 'p');
    }
    list.replaceWith(...list.childNodes);
  }
  const blocks = item.querySelectorAll('p, div, h1, h2, h3, h4, h5, h6, blockquote, pre, table, tr');
  for (const block of blocks) {
    const isFirst = !block.previousSibling || !/\S/.test(textBefore(block, item));
    block.replaceWith(...(isFirst ? [] : [item.ownerDocument.createElement('br')]), ...block.childNodes);
  }
}

function textBefore(element: Element, within: Element): string {
  const range = element.ownerDocument.createRange();
  range.setStart(within, 0);
  range.setEndBefore(element);
  return range.toString();
}

/** Plain text is read as light Markdown, as it was when it was typed; signs of lists that others use count too. */
export function sliceOfText(text: string): Slice {
  const direct = text.replace(/https:\/\/[^\s<>"]+/g, unwrapped);
  const { content } = documentOf(direct.replace(/^([ \t]*)[•·▪◦‣–](?=[ \t])/gm, '$1-'));
  const only = content.childCount === 1 ? content.firstChild : undefined;
  if (only?.type !== schema.nodes.paragraph || /[\r\n]/.test(text)) return Slice.maxOpen(content);
  // Part of a line keeps the blanks around it.
  const blank = (found: RegExpExecArray | null) => (found?.[0] ? [schema.text(found[0])] : []);
  const nodes = [...blank(/^[ \t]+/.exec(text)), ...only.children, ...blank(/[ \t]+$/.exec(text))];
  return Slice.maxOpen(Fragment.from(schema.node('paragraph', null, Fragment.fromArray(nodes))));
}

/** What is copied, as text: paragraphs apart, items with their signs. */
export function textOfSlice({ content, openStart }: Slice): string {
  const [only] = content.content;
  // Words out of one item have no sign.
  if (content.childCount === 1 && only?.childCount === 1 && openStart > 1) return only.textContent;
  return content.content.map(textOf).join('\n\n');
}

function textOf(node: Node): string {
  if (!node.type.name.endsWith('_list')) return node.textBetween(0, node.content.size, '\n');
  return node.children
    .map((item, index) => {
      const sign = node.type.name === 'ordered_list' ? `${Number(node.attrs.start) + index}.` : '-';
      return `${sign} ${item.textContent}`;
    })
    .join('\n');
}
