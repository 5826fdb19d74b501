import { createElement, type ReactNode } from 'react';
import { type Block, type Inline, readMarkdown } from '#platform/shared/markdown.ts';

/** A long text with its light Markdown, as elements. */
export function MarkdownText({ text, className = '' }: { text: string; className?: string }) {
  return element('div', readMarkdown(text).map(block), { className: `prose ${className}` });
}

/** Creates an element. Children are spread as static ones, which need no keys: a text has none to give. */
function element(tag: string, children: ReactNode[], properties?: object): ReactNode {
  return createElement(tag, properties, ...children);
}

function block(one: Block): ReactNode {
  switch (one.type) {
    case 'heading':
      return element('h2', one.children.map(inline));
    case 'paragraph':
      return element('p', one.children.map(inline));
    case 'list': {
      const items = one.items.map((item) => element('li', item.map(inline)));
      return one.isOrdered ? element('ol', items, { start: one.start }) : element('ul', items);
    }
  }
}

function inline(one: Inline): ReactNode {
  if (typeof one === 'string') return one;
  switch (one.type) {
    case 'break':
      return element('br', []);
    case 'strong':
    case 'em':
      return element(one.type, one.children.map(inline));
    case 'link': {
      const { href, children } = one;
      if (!/^https?:/i.test(href)) return element('a', children.map(inline), { href });
      const note = element('span', [' (nouvel onglet)'], { className: 'sr-only' });
      const properties = { href, target: '_blank', rel: 'noopener noreferrer' };
      return element('a', [...children.map(inline), note], properties);
    }
  }
}
