import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Block, type Inline, readMarkdown } from '#platform/shared/markdown.ts';
import { linkTarget, writeMarkdown } from '#platform/shared/writeMarkdown.ts';

const paragraph = (...children: Inline[]): Block => ({ type: 'paragraph', children });
const heading = (...children: Inline[]): Block => ({ type: 'heading', children });
const list = (...items: Inline[][]): Block => ({ type: 'list', isOrdered: false, start: 1, items });
const numbered = (start: number, ...items: Inline[][]): Block => ({
  type: 'list',
  isOrdered: true,
  start,
  items,
});
const strong = (...children: Inline[]): Inline => ({ type: 'strong', children });
const em = (...children: Inline[]): Inline => ({ type: 'em', children });
const link = (href: string, ...children: Inline[]): Inline => ({ type: 'link', href, children });
const BREAK: Inline = { type: 'break' };

/** Each character with its marks, as which two trees can be compared that nest them otherwise. */
function characters(children: readonly Inline[], style = ''): string[] {
  return children.flatMap((one) => {
    if (typeof one === 'string') return [...one.replaceAll('\u2060', '')].map((sign) => `${sign}${style}`);
    if (one.type === 'break') return ['\n'];
    const added = one.type === 'link' ? ` <${one.href}>` : ` ${one.type}`;
    const all = [...new Set([...style.split(/(?= )/), added])].filter(Boolean).sort();
    return characters(one.children, all.join(''));
  });
}

function shape(blocks: readonly Block[]) {
  return blocks.map((block) =>
    block.type === 'list'
      ? { ...block, items: block.items.map((item) => characters(item)) }
      : { ...block, children: characters(block.children) },
  );
}

function expectSame(blocks: readonly Block[]): string {
  const text = writeMarkdown(blocks);
  expect(shape(readMarkdown(text)), text).toEqual(shape(blocks));
  return text;
}

describe('Blocks written as light Markdown', () => {
  test.each<[string, Block[], string]>([
    ['nothing', [], ''],
    ['an empty paragraph', [paragraph()], ''],
    ['lines', [paragraph('un', BREAK, 'deux'), paragraph('trois')], 'un\ndeux\n\ntrois'],
    ['bold and italics', [paragraph(strong('gras'), ' et ', em('italique'))], '**gras** et *italique*'],
    ['both at once', [paragraph(strong(em('tout')))], '**_tout_**'],
    ['bold in a word', [paragraph('in', strong('cro'), 'yable')], 'in**cro**yable'],
    ['italics in a word', [paragraph('in', em('cro'), 'yable')], 'in*cro*yable'],
    [
      'italics in bold that end a word in its middle',
      [paragraph(strong('a', em('b')), em('c'), 'd')],
      '**a\u2060_b_**_c_\u2060d',
    ],
    ['a title', [heading('Le ', strong('titre'))], '## Le **titre**'],
    ['a list', [list(['un'], ['deux', BREAK, 'suite'])], '- un\n- deux\n  suite'],
    ['numbers from where they start', [numbered(3, ['trois'], ['quatre'])], '3. trois\n4. quatre'],
    ['two lists', [list(['a']), list(['b']), numbered(1, ['c'])], '- a\n\n- b\n\n1. c'],
    ['a link', [paragraph('Voir ', link('/b', 'le ', strong('site')))], 'Voir [le **site**](/b)'],
    ['a bold link', [paragraph(strong('a ', link('/b', 'b')))], '**a [b](/b)**'],
    [
      'a bare address',
      [paragraph('Voir ', link('https://x.fr/a_b', 'https://x.fr/a_b'), '.')],
      'Voir https://x.fr/a_b.',
    ],
    [
      'an address in bold',
      [paragraph(strong(link('https://x.fr', 'https://x.fr')))],
      '**[https://x.fr](https://x.fr)**',
    ],
    [
      'what looks like an item',
      [paragraph('- un', BREAK, '+ deux', BREAK, '* trois')],
      '\\- un\n\\+ deux\n\\* trois',
    ],
    ['what looks like a number', [paragraph('2. un', BREAK, '12) deux')], '2\\. un\n12\\) deux'],
    ['what looks like a title', [paragraph('# un', BREAK, '#1')], '\\# un\n#1'],
    ['an item like an item', [list(['- un', BREAK, '- deux'])], '- - un\n  \\- deux'],
    ['stars', [paragraph('2 * 3*4 **')], '2 * 3\\*4 \\*\\*'],
    ['underscores', [paragraph('mot_de_passe _a_')], 'mot_de_passe \\_a\\_'],
    ['backslashes', [paragraph('C:\\a \\* \\')], 'C:\\a \\\\\\* \\\\'],
    ['brackets', [paragraph('[…] [a](/b) (c)')], '[…] [a]\\(/b) (c)'],
    ['an unfinished address in bold', [paragraph(strong('a'), ' https:// b')], '**a** https:// b'],
  ])('are %s', (_name, blocks, expected) => {
    const text = expectSame(blocks.filter((one) => one.type !== 'paragraph' || one.children.length > 0));
    expect(text).toBe(expected);
  });

  test.each<[string, Block[], Block[]]>([
    ['blanks around lines', [paragraph('  a \t', BREAK, '\u00a0b')], [paragraph('a', BREAK, 'b')]],
    ['an empty line', [paragraph('a', BREAK, BREAK, ' ', BREAK, 'b')], [paragraph('a'), paragraph('b')]],
    ['an empty line in an item', [list(['a', BREAK, BREAK, 'b'], [' '])], [list(['a', BREAK, 'b'])]],
    ['blanks in marks', [paragraph('a', strong(' b '), em(' '), 'c')], [paragraph('a ', strong('b'), '  c')]],
    ['a title of two lines', [heading('a', BREAK, 'b')], [heading('a b')]],
    [
      'an address',
      [paragraph('a https://x.fr, b')],
      [paragraph('a ', link('https://x.fr', 'https://x.fr'), ', b')],
    ],
    ['brackets in a link', [paragraph(link('/b', '[a]'))], [paragraph('[', link('/b', 'a'), ']')]],
    [
      'a line break in a link',
      [paragraph(link('/b', 'a', BREAK, 'b'))],
      [paragraph(link('/b', 'a'), BREAK, link('/b', 'b'))],
    ],
    [
      'a bracket alone in a target',
      [paragraph(link('https://x.fr/a_(b)_(c', 'a'))],
      [paragraph(link('https://x.fr/a_%28b%29_%28c', 'a'))],
    ],
    ['a target that is none', [paragraph(link('javascript:alert(1)', 'a'))], [paragraph('a')]],
    ['a link of nothing', [paragraph('a', link('/b', ' '), 'b')], [paragraph('a b')]],
    [
      'a bold link after an unfinished address',
      [paragraph(strong('https://', link('/b', 'a', em('b'))))],
      [paragraph('https://', link('/b', 'a', strong(em('b'))))],
    ],
    ['what ends lines elsewhere', [heading('a\u2028b\rc')], [heading('a b c')]],
  ])('settle %s', (_name, blocks, expected) => {
    expect(shape(readMarkdown(writeMarkdown(blocks)))).toEqual(shape(expected));
  });

  test('keep the whole label of a long link', () => {
    const text = 'un 😀😀😀😀 mot \\ * '.repeat(200).trim();
    const [block] = readMarkdown(writeMarkdown([paragraph(link('/b', text))]));
    expect(shape([paragraph(link('/b', text))])).toEqual(shape(block ? [block] : []));
  });

  /* Words made of every sign that means something somewhere, with marks that begin and end anywhere. */
  const sign = fc.constantFrom(...'aé1*_#[]()\\.-+!<&`~>"\':/', '**', '1.', '##', 'www.', '\ud83d\ude00');
  const word = fc
    .array(sign, { minLength: 1, maxLength: 5 })
    .map((signs) => signs.join(''))
    // An address is a link, which the next ones make.
    .filter((text) => !/:\//.test(text));
  const styled = (text: fc.Arbitrary<string>) =>
    fc.record({ text, isStrong: fc.boolean(), isEm: fc.boolean() }).map(({ text, isStrong, isEm }) => {
      const inner: Inline = isEm ? em(text) : text;
      return isStrong ? strong(inner) : inner;
    });
  const label = fc.array(styled(word.map((text) => text.replace(/[[\]]/g, 'b'))), {
    minLength: 1,
    maxLength: 3,
  });
  const target = fc.constantFrom('/b', 'https://x.fr/a_b*c', 'mailto:a_b@x.fr', 'https://x.fr/[1]\\');
  const linkOf = fc.tuple(target, label).map(([href, children]) => link(href, ...children));
  const address = fc.constantFrom('https://x.fr/a_b', 'http://*a*').map((one) => link(one, one));
  // No two plain stretches touch: together they could be an address.
  const stretch = fc.oneof(
    { weight: 6, arbitrary: styled(word) },
    { weight: 1, arbitrary: linkOf },
    { weight: 1, arbitrary: address.map((one) => strong(one)) },
    { weight: 1, arbitrary: address },
  );
  const line = fc
    .array(fc.tuple(stretch, fc.constantFrom('', ' ', '  ')), { minLength: 1, maxLength: 6 })
    .map((pairs) =>
      pairs.flatMap(([one, gap], index) => (gap && index < pairs.length - 1 ? [one, gap] : [one])),
    )
    .filter((children) => !/:\/\//.test(plainOf(children)));
  const lines = fc
    .array(line, { minLength: 1, maxLength: 3 })
    .map((all) => all.flatMap((one, index) => (index > 0 ? [BREAK, ...one] : one)));
  const block: fc.Arbitrary<Block> = fc.oneof(
    lines.map((children) => paragraph(...children)),
    line.map((children) => heading(...children)),
    fc
      .record({
        type: fc.constant('list' as const),
        start: fc.nat(2_000),
        isOrdered: fc.boolean(),
        items: fc.array(lines, { minLength: 1, maxLength: 3 }),
      })
      .map((one) => ({ ...one, start: one.isOrdered ? one.start : 1 })),
  );
  /** The text outside of links. */
  function plainOf(children: readonly Inline[]): string {
    return children
      .map((one) => {
        if (typeof one === 'string') return one;
        return one.type === 'strong' || one.type === 'em' ? plainOf(one.children) : ' ';
      })
      .join('');
  }

  test('read as what they were, whatever their texts and marks', () => {
    fc.assert(
      fc.property(fc.array(block, { maxLength: 4 }), (blocks) => {
        expectSame(blocks);
      }),
      { numRuns: 5_000 },
    );
  });

  test('are written the same once they were read, and lose no word, also of texts that nobody wrote so', () => {
    const pieces = fc.constantFrom(
      ...[
        'a',
        'é',
        ' ',
        '\u00a0',
        '\n',
        '\n\n',
        '*',
        '**',
        '_',
        '__',
        '[',
        ']',
        '(',
        ')',
        '\\',
        '- ',
        '1. ',
        '# ',
      ],
      ...['https://x.y', 'https://', 'http:', '[a](/b)', '<b>', '.', '\u2060', '\u2028', '\t'],
    );
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 40 }), (parts) => {
        const first = readMarkdown(parts.join(''));
        const text = writeMarkdown(first);
        const second = readMarkdown(text);
        expect(writeMarkdown(second)).toBe(text);
        const words = (blocks: Block[]) =>
          shape(blocks)
            .flatMap((one) => ('items' in one ? one.items.flat() : one.children))
            .map((one) => one[0])
            .filter((one) => one && /\S/.test(one))
            .join('');
        expect(words(second), text).toBe(words(first));
      }),
      { numRuns: 5_000 },
    );
  });

  test('are written fast, however long and hostile', () => {
    for (const piece of ['a', '*', '_a', '[', '\\', 'https://', 'https://a ', '(', ' ', '# ']) {
      const children = [piece.repeat(50_000 / piece.length)];
      const start = performance.now();
      writeMarkdown([
        paragraph(...children),
        paragraph(link('/b', ...children)),
        paragraph(strong(...children)),
      ]);
      expect(performance.now() - start, piece).toBeLessThan(5_000);
    }
  });
});

test.each([
  ['https://x.fr', 'https://x.fr'],
  [' https://x.fr/a b ', 'https://x.fr/a%20b'],
  ['mailto:a@x.fr', 'mailto:a@x.fr'],
  ['/page', '/page'],
  ['javascript:alert(1)', undefined],
  ['file:///c', undefined],
  ['//x.fr', undefined],
  [`https://x.fr/${'a'.repeat(2_000)}`, undefined],
])('the target %s becomes %s', (address, expected) => {
  expect(linkTarget(address)).toBe(expected);
});
