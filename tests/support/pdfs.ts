import { createCipheriv } from 'node:crypto';
import { deflateSync } from 'node:zlib';

/** PDFs written object by object, as programs write them: with a table, or with compressed objects. */

interface Objects {
  /** Written plainly; number 1 is the catalog. */
  plain: Record<number, string | Buffer>;
  /** Written into one compressed object stream. */
  packed?: Record<number, string>;
  /** The object stream's filters, and how its bytes pass them; deflate by default. */
  filter?: string;
  encode?: (bytes: Buffer) => Buffer;
  /** How the object stream says what it is. */
  type?: string;
  trailer?: string;
  /** Numbers of objects that the table finds inside the data of another: a text that starts the object. */
  inside?: Record<number, string>;
}

export function pdf({
  plain,
  packed,
  filter = '/FlateDecode',
  encode = deflateSync,
  type = '/Type /ObjStm ',
  trailer = '',
  inside = {},
}: Objects): Buffer {
  let file: Buffer = Buffer.from('%PDF-1.7\n%\xe2\xe3\xcf\xd3\n', 'latin1');
  const entries = new Map<number, [type: number, where: number, index: number]>();
  const add = (number: number, object: string | Buffer) => {
    entries.set(number, [1, file.length, 0]);
    file = Buffer.concat([
      file,
      Buffer.from(`${number} 0 obj\n`),
      Buffer.from(object),
      Buffer.from('\nendobj\n'),
    ]);
  };
  for (const [number, object] of Object.entries(plain)) add(Number(number), object);
  for (const [number, text] of Object.entries(inside))
    entries.set(Number(number), [1, file.indexOf(text), 0]);
  let size = Math.max(...Object.keys({ ...plain, ...packed, ...inside }).map(Number)) + 1;
  if (!packed) {
    const start = file.length;
    const lines = Array.from({ length: size - 1 }, (_, index) => {
      const entry = entries.get(index + 1);
      return entry ? `${String(entry[1]).padStart(10, '0')} 00000 n \n` : '0000000000 00000 f \n';
    });
    const table = `xref\n0 ${size}\n0000000000 65535 f \n${lines.join('')}`;
    return Buffer.concat([
      file,
      Buffer.from(
        `${table}trailer\n<< /Size ${size} /Root 1 0 R ${trailer} >>\nstartxref\n${start}\n%%EOF\n`,
      ),
    ]);
  }
  const container = size++;
  let pairs = '';
  let texts = '';
  for (const [index, [number, text]] of Object.entries(packed).entries()) {
    entries.set(Number(number), [2, container, index]);
    pairs += `${number} ${texts.length} `;
    texts += `${text}\n`;
  }
  const data = encode(Buffer.from(pairs + texts, 'latin1'));
  const filters = filter === '' ? '' : `/Filter ${filter} `;
  add(container, stream(`${type}/N ${Object.keys(packed).length} /First ${pairs.length} ${filters}`, data));
  const own = size++;
  const start = file.length;
  entries.set(own, [1, start, 0]);
  const table = Buffer.alloc(size * 7);
  for (const [number, [kind, where, index]] of entries) {
    table.writeUInt8(kind, number * 7);
    table.writeUInt32BE(where, number * 7 + 1);
    table.writeUInt16BE(index, number * 7 + 5);
  }
  add(own, stream(`/Type /XRef /Size ${size} /W [1 4 2] /Root 1 0 R ${trailer} `, table));
  return Buffer.concat([file, Buffer.from(`startxref\n${start}\n%%EOF\n`)]);
}

export function stream(dictionary: string, data: Buffer): Buffer {
  return Buffer.concat([
    Buffer.from(`<< ${dictionary}/Length ${data.length} >>\nstream\n`),
    data,
    Buffer.from('\nendstream'),
  ]);
}

/** One page that says a word, without anything that acts; the catalog may say more. */
export function page(catalog = '', text = 'Bonjour'): Record<number, string | Buffer> {
  return {
    1: `<< /Type /Catalog /Pages 2 0 R ${catalog} >>`,
    2: '<< /Type /Pages /Count 1 /Kids [3 0 R] >>',
    3: '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F1 << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >> >> >>',
    4: stream('', Buffer.from(`BT /F1 12 Tf 72 720 Td (${text}) Tj ET`)),
  };
}

export const SCRIPT = '<< /S /JavaScript /JS (app.alert\\(1\\)) >>';

/** A document of that many pages, with a table or with compressed objects. */
export function pages(count: number, isPacked: boolean): Buffer {
  const numbers = Array.from({ length: count }, (_, index) => index + 3);
  const kids = numbers.map((number) => `${number} 0 R`).join(' ');
  const list = Object.fromEntries(
    numbers.map((number) => [number, '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] >>']),
  );
  const head = {
    1: '<< /Type /Catalog /Pages 2 0 R >>',
    2: `<< /Type /Pages /Count ${count} /Kids [${kids}] >>`,
  };
  return isPacked
    ? pdf({ plain: { 1: head[1] }, packed: { 2: head[2], ...list } })
    : pdf({ plain: { ...head, ...list } });
}

/** Minutes in French: a title and paragraphs of one line each, with « 1 / 3 » at the foot of each page. */
export function minutesPdf(title: string, paragraphs: readonly string[]): Buffer {
  const lines = [title, ...paragraphs];
  const sheets = Array.from({ length: Math.ceil(lines.length / 29) }, (_, index) =>
    lines.slice(index * 29, (index + 1) * 29),
  );
  const drawn = (text: string, y: number) =>
    `BT /F1 11 Tf 64 ${y} Td (${text.replace(/[\\()]/g, '\\$&').replaceAll('’', '\x92')}) Tj ET`;
  const font = '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>';
  const kids = sheets.map((_, index) => `${4 + index * 2} 0 R`).join(' ');
  const objects = sheets.flatMap((sheet, index) => {
    const foot = drawn(`${index + 1} / ${sheets.length}`, 36);
    const text = [...sheet.map((line, at) => drawn(line, 762 - at * 24)), foot].join('\n');
    return [
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents ${5 + index * 2} 0 R /Resources << /Font << /F1 3 0 R >> >> >>`,
      stream('', Buffer.from(text, 'latin1')),
    ];
  });
  return pdf({
    plain: {
      1: '<< /Type /Catalog /Pages 2 0 R /Lang (fr-FR) >>',
      2: `<< /Type /Pages /Count ${sheets.length} /Kids [${kids}] >>`,
      3: font,
      ...Object.fromEntries(objects.map((object, index) => [4 + index, object])),
    },
  });
}

/** Bytes as chance makes them, the same for the same seed. */
function chance(seed: number, bytes: number): Buffer {
  const key = Buffer.alloc(16);
  key.writeUInt32BE(seed);
  return createCipheriv('aes-128-ctr', key, Buffer.alloc(16)).update(Buffer.alloc(bytes));
}

/** What chance writes into pictures once in a hundred megabytes, and what it hardly ever does. */
const BY_CHANCE = [
  ...[
    'obj',
    '5 obj',
    '\n5 0 obj\n<< /S /JavaScript /JS (x) >>\nendobj\n',
    '%\nobj',
    'trailer << /Encrypt 1 0 R >>',
  ],
  ...[
    '/JavaScript /AA /Launch',
    'endstream',
    'startxref\n0\n%%EOF',
    '>>stream\n',
    '<< /EF << /F 5 0 R >> >>',
  ],
];

/** A booklet of as many photographs, one a page, of random points; their bytes hold what chance may write into them. */
export function booklet(seed: number, photos: number, [width, height] = [1000, 1000]): Buffer {
  const numbers = Array.from({ length: photos }, (_, index) => 10 + 3 * index);
  const objects = numbers.map((number, index) => {
    const points = chance(seed * 1_000 + index, width * height * 3);
    for (const [at, said] of BY_CHANCE.entries())
      points.write(said, (at + 1) * 997 * (1 + (seed % 7)), 'latin1');
    const isPlain = index % 2 === 0;
    const filter = isPlain ? '' : '/Filter /FlateDecode ';
    const size = `/Width ${width} /Height ${height} /BitsPerComponent 8 /ColorSpace /DeviceRGB `;
    return {
      [number]: `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents ${number + 1} 0 R /Resources << /XObject << /I ${number + 2} 0 R >> >> >>`,
      [number + 1]: stream('', Buffer.from('q 500 0 0 500 40 200 cm /I Do Q')),
      [number + 2]: stream(
        `/Type /XObject /Subtype /Image ${size}${filter}`,
        // Stored as it is: compressing noise takes long and gains nothing.
        isPlain ? points : deflateSync(points, { level: 0 }),
      ),
    };
  });
  return pdf({
    plain: Object.assign(
      {
        1: '<< /Type /Catalog /Pages 2 0 R >>',
        2: `<< /Type /Pages /Count ${photos} /Kids [${numbers.map((number) => `${number} 0 R`).join(' ')}] >>`,
      },
      ...objects,
    ),
  });
}
