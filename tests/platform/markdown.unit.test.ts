import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Block, type Inline, readMarkdown } from '#platform/shared/markdown.ts';

const paragraph = (...children: Inline[]): Block => ({ type: 'paragraph', children });
const strong = (...children: Inline[]): Inline => ({ type: 'strong', children });
const em = (...children: Inline[]): Inline => ({ type: 'em', children });
const link = (href: string, ...children: Inline[]): Inline => ({ type: 'link', href, children });
const BREAK: Inline = { type: 'break' };

const SUMMER = 'https://fr.example.org/wiki/Été_(saison)';

describe('A light Markdown text', () => {
  test.each<[string, string, Block[]]>([
    ['nothing', '', []],
    ['blank lines', ' \n\t\n', []],
    [
      'two paragraphs, the lines of one kept',
      'un\r\ndeux\n\ntrois',
      [paragraph('un', BREAK, 'deux'), paragraph('trois')],
    ],
    ['bold and italics', '**gras** et *italique*', [paragraph(strong('gras'), ' et ', em('italique'))]],
    ['their other marks', '__gras__ _it_', [paragraph(strong('gras'), ' ', em('it'))]],
    ['one in the other', '**tout *à fait* sûr**', [paragraph(strong('tout ', em('à fait'), ' sûr'))]],
    ['a mark left open in another', '**a *b** c', [paragraph(strong('a ', '*', 'b'), ' c')]],
    ['marks that never end', '**a *b', [paragraph('**', 'a ', '*', 'b')]],
    ['marks with a blank inside', '2 * 3 * 4', [paragraph('2 ', '*', ' 3 ', '*', ' 4')]],
    ['marks around nothing', '****', [paragraph('**', '**')]],
    ['an underscore in a word', 'mot_de_passe', [paragraph('mot', '_', 'de', '_', 'passe')]],
    ['an escaped mark', '\\*pas\\*', [paragraph('*', 'pas', '*')]],
    [
      'a link',
      '[le site](https://example.org/a?b=1)',
      [paragraph(link('https://example.org/a?b=1', 'le site'))],
    ],
    [
      'a link in bold, bold in a link',
      '**[a](/b)** [**c**](/d)',
      [paragraph(strong(link('/b', 'a')), ' ', link('/d', strong('c')))],
    ],
    ['a mailbox', '[nous](mailto:cse@example.org)', [paragraph(link('mailto:cse@example.org', 'nous'))]],
    [
      'a bare address, its full stop left out',
      'Voir https://example.org/x.',
      [paragraph('Voir ', link('https://example.org/x', 'https://example.org/x'), '.')],
    ],
    [
      'a bare address with its brackets, and none of those around it',
      '(voir https://fr.example.org/wiki/Été_(saison))',
      [paragraph('(voir ', link(SUMMER, SUMMER), ')')],
    ],
    [
      'a list',
      '- un\n- deux\n  suite',
      [{ type: 'list', isOrdered: false, start: 1, items: [['un'], ['deux', BREAK, 'suite']] }],
    ],
    [
      'a numbered list from where it starts',
      '3. trois\n4. quatre',
      [{ type: 'list', isOrdered: true, start: 3, items: [['trois'], ['quatre']] }],
    ],
    [
      'a text right before and after a list',
      'Liste :\n- un\nFin',
      [paragraph('Liste :'), { type: 'list', isOrdered: false, start: 1, items: [['un']] }, paragraph('Fin')],
    ],
    ['a title', '# Le **titre**', [{ type: 'heading', children: ['Le ', strong('titre')] }]],
    ['a hash without a blank', '#1', [paragraph('#1')]],
  ])('reads %s', (_name, text, expected) => {
    expect(readMarkdown(text)).toEqual(expected);
  });

  test.each([
    'javascript:alert(1)',
    'data:text/html,x',
    '//evil.example',
    '/\\evil.example',
    'vbscript:x',
    'x',
    'https://',
  ])('does not link to %s', (target) => {
    expect(JSON.stringify(readMarkdown(`[a](${target})`))).not.toContain('"link"');
  });

  test('loses nothing that was written but its marks', () => {
    const textOf = (inlines: readonly Inline[]): string =>
      inlines
        .map((one) => {
          if (typeof one === 'string') return one;
          if (one.type === 'break') return '\n';
          return one.type === 'link' ? textOf(one.children) + one.href : textOf(one.children);
        })
        .join('');
    const all = (blocks: Block[]) =>
      blocks
        .map((one) => (one.type === 'list' ? one.items.map(textOf).join('') : textOf(one.children)))
        .join('');
    const pieces = fc.constantFrom(
      'a',
      'é',
      ' ',
      '\n',
      '*',
      '**',
      '_',
      '[',
      ']',
      '(',
      ')',
      '\\',
      '- ',
      '1. ',
      '# ',
      'https://x.y',
      '<b>',
    );
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 60 }), (parts) => {
        const text = parts.join('');
        const kept = [...all(readMarkdown(text))].filter((one) => /[aéb<>]/.test(one)).length;
        const written = [...text].filter((one) => /[aéb<>]/.test(one)).length;
        expect(kept).toBeGreaterThanOrEqual(written);
      }),
      { numRuns: 2_000 },
    );
  });

  test('nests only as deep as a text that people wrote', () => {
    const depthOf = (one: Inline): number =>
      typeof one === 'string' || one.type === 'break' ? 0 : 1 + Math.max(0, ...one.children.map(depthOf));
    const text = `${'*a '.repeat(4_000)}${' a*'.repeat(4_000)}`;
    const [block] = readMarkdown(text);
    const children = block && block.type !== 'list' ? block.children : [];
    expect(Math.max(...children.map(depthOf))).toBeLessThanOrEqual(8);
  });

  test('is read to its end when it is long and hostile', () => {
    const made = [
      '[',
      '*',
      '**',
      '_',
      '*a ',
      'a* ',
      '[a](',
      '[a](b',
      '**a*',
      '*a_',
      '![',
      '\\',
      '- ',
      '1. ',
      '# ',
      '<a',
    ];
    // What looked at each character as often as there are others would be here for minutes.
    for (const piece of [...made, 'https://'])
      expect(readMarkdown(piece.repeat(200_000)).length, piece).toBe(1);
  });
});
