import { Fragment, type Mark, type Node, Schema } from 'prosemirror-model';
import { type Block, type Inline, readMarkdown } from '#platform/shared/markdown.ts';
import { linkTarget } from '#platform/shared/writeMarkdown.ts';

/*
 * What the editor's documents are made of: what light Markdown knows, and nothing else. `documentOf` and `blocksOf` go
 * from its blocks to a document and back.
 */

export const schema = new Schema({
  nodes: {
    doc: { content: 'block+' },
    paragraph: {
      ...{ group: 'block', content: 'inline*', selectable: false },
      parseDOM: [{ tag: 'p' }],
      toDOM: () => ['p', 0],
    },
    heading: {
      ...{ group: 'block', content: 'inline*', selectable: false, defining: true },
      parseDOM: [{ tag: 'h1, h2, h3, h4, h5, h6' }],
      toDOM: () => ['h2', 0],
    },
    bullet_list: {
      ...{ group: 'block', content: 'list_item+', selectable: false },
      parseDOM: [{ tag: 'ul' }],
      toDOM: () => ['ul', 0],
    },
    ordered_list: {
      ...{ group: 'block', content: 'list_item+', selectable: false },
      attrs: { start: { default: 1, validate: 'number' } },
      parseDOM: [{ tag: 'ol', getAttrs: (list) => ({ start: numberOf(list.getAttribute('start')) }) }],
      toDOM: ({ attrs }) => ['ol', { start: attrs.start }, 0],
    },
    list_item: {
      ...{ content: 'paragraph', selectable: false, defining: true },
      parseDOM: [{ tag: 'li' }],
      toDOM: () => ['li', 0],
    },
    text: { group: 'inline' },
    hard_break: {
      ...{ group: 'inline', inline: true, selectable: false, leafText: () => '\n' },
      parseDOM: [{ tag: 'br' }],
      toDOM: () => ['br'],
    },
  },
  marks: {
    link: {
      attrs: { href: { validate: 'string' } },
      inclusive: false,
      parseDOM: [
        {
          tag: 'a[href]',
          getAttrs: (link) => {
            const href = linkTarget(link.getAttribute('href') ?? '');
            return href === undefined ? false : { href };
          },
        },
      ],
      toDOM: ({ attrs }) => ['a', { href: attrs.href }, 0],
    },
    strong: {
      parseDOM: [
        { tag: 'strong' },
        // Whole documents come in a <b> that is none.
        { tag: 'b', getAttrs: (bold) => (bold.style.fontWeight === 'normal' ? false : null) },
        {
          style: 'font-weight',
          getAttrs: (weight) => (/^(bold(er)?|[6-9]\d\d|1000)$/.test(weight) ? null : false),
        },
        {
          style: 'font-weight',
          getAttrs: (weight) => (/^(normal|[1-4]00)$/.test(weight) ? null : false),
          clearMark: isStrong,
        },
      ],
      toDOM: () => ['strong', 0],
    },
    em: {
      parseDOM: [
        { tag: 'i' },
        { tag: 'em' },
        { style: 'font-style=italic' },
        { style: 'font-style=normal', clearMark: isEm },
      ],
      toDOM: () => ['em', 0],
    },
  },
});

function isStrong({ type }: Mark): boolean {
  return type.name === 'strong';
}

function isEm({ type }: Mark): boolean {
  return type.name === 'em';
}

function numberOf(text: string | null): number {
  return /^\d{1,9}$/.test(text ?? '') ? Number(text) : 1;
}

export function documentOf(text: string): Node {
  const blocks = readMarkdown(text).map(nodeOf);
  return schema.node('doc', null, blocks.length > 0 ? blocks : [schema.node('paragraph')]);
}

function nodeOf(block: Block): Node {
  if (block.type !== 'list') return schema.node(block.type, null, inlineNodes(block.children));
  const items = block.items.map((item) =>
    schema.node('list_item', null, [schema.node('paragraph', null, inlineNodes(item))]),
  );
  return block.isOrdered
    ? schema.node('ordered_list', { start: block.start }, items)
    : schema.node('bullet_list', null, items);
}

function inlineNodes(children: readonly Inline[], marks: readonly Mark[] = []): Node[] {
  return children.flatMap((one) => {
    if (typeof one === 'string') {
      // The joiners between marks are the writer's.
      const text = one.replaceAll('\u2060', '');
      return text === '' ? [] : [schema.text(text, marks)];
    }
    if (one.type === 'break') return [schema.node('hard_break')];
    const mark = one.type === 'link' ? schema.mark('link', { href: one.href }) : schema.mark(one.type);
    return inlineNodes(one.children, mark.addToSet(marks));
  });
}

export function blocksOf(document: Node): Block[] {
  return document.children.map((node): Block => {
    switch (node.type.name) {
      case 'bullet_list':
      case 'ordered_list': {
        const items = node.children.map((item) => inlinesOf(item.firstChild?.content ?? Fragment.empty));
        const isOrdered = node.type.name === 'ordered_list';
        return { type: 'list', isOrdered, start: isOrdered ? Number(node.attrs.start) : 1, items };
      }
      default:
        return {
          type: node.type.name === 'heading' ? 'heading' : 'paragraph',
          children: inlinesOf(node.content),
        };
    }
  });
}

function inlinesOf(content: Fragment): Inline[] {
  return content.content.map((node): Inline => {
    if (!node.isText) return { type: 'break' };
    return node.marks.reduceRight((child: Inline, { type, attrs }): Inline => {
      if (type.name === 'link') return { type: 'link', href: String(attrs.href), children: [child] };
      return { type: type.name === 'strong' ? 'strong' : 'em', children: [child] };
    }, node.text ?? '');
  });
}
