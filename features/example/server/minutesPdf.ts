/**
 * A PDF writer just large enough for the example's minutes: plain A4 pages of wrapped text.
 *
 * The example must not bring a PDF library into the product, and a fixed binary would hide what it says,
 * so the files are built from the text of content.ts. Helvetica is one of the fonts every PDF reader has:
 * nothing needs embedding, but the widths that wrapping needs have to be known here.
 */

const PAGE_WIDTH = 595;
const PAGE_HEIGHT = 842;
const MARGIN = 64;
const BODY = { size: 11, leading: 16, gap: 8 };
const TITLE = { size: 16, leading: 21, gap: 16 };
const FOOTER = { size: 9, y: 36 };
// The footer's page number needs air above it.
const BOTTOM = 72;

// Codes 0x80 to 0x9f of Windows-1252, which WinAnsiEncoding follows: where it differs from Latin-1. A blank
// is a code without a character.
const HIGH_CODES = '€ ‚ƒ„…†‡ˆ‰Š‹Œ Ž  ‘’“”•–—˜™š›œ žŸ';

/** Characters that the encoding lacks but that have a fair stand-in. */
const STAND_IN: Readonly<Record<string, number>> = {
  '\u202f': 0xa0,
  '\u2007': 0xa0,
  '\u2009': 0xa0,
  '\u2011': 0x2d,
  '\u2212': 0x96,
  '\t': 0x20,
};

// Adobe's widths for codes 0x20 to 0xff, in thousandths of the font size, as "width" or "width*count".
const REGULAR = widthTable(
  '278*2 355 556*2 889 667 191 333*2 389 584 278 333 278*2 556*10 278*2 584*3 556 1015 667*2 722*2 667 611' +
    ' 778 722 278 500 667 556 833 722 778 667 778 722 667 611 722 667 944 667*2 611 278*3 469 556 333 556*2' +
    ' 500 556*2 278 556*2 222*2 500 222 833 556*4 333 500 278 556 500 722 500*3 334 260 334 584 350 556 350' +
    ' 222 556 333 1000 556*2 333 1000 667 333 1000 350 611 350*2 222*2 333*2 350 556 1000 333 1000 500 333' +
    ' 944 350 500 667 278 333 556*4 260 556 333 737 370 556 584 333 737 333 400 584 333*3 556 537 278 333*2' +
    ' 365 556 834*3 611 667*6 1000 722 667*4 278*4 722*2 778*5 584 778 722*4 667*2 611 556*6 889 500 556*4' +
    ' 278*4 556*7 584 611 556*4 500 556 500',
);
const BOLD = widthTable(
  '278 333 474 556*2 889 722 238 333*2 389 584 278 333 278*2 556*10 333*2 584*3 611 975 722*4 667 611 778' +
    ' 722 278 556 722 611 833 722 778 667 778 722 667 611 722 667 944 667*2 611 333 278 333 584 556 333 556' +
    ' 611 556 611 556 333 611*2 278*2 556 278 889 611*4 389 556 333 611 556 778 556*2 500 389 280 389 584 350' +
    ' 556 350 278 556 500 1000 556*2 333 1000 667 333 1000 350 611 350*2 278*2 500*2 350 556 1000 333 1000' +
    ' 556 333 944 350 500 667 278 333 556*4 280 556 333 737 370 556 584 333 737 333 400 584 333*3 611 556 278' +
    ' 333*2 365 556 834*3 611 722*6 1000 722 667*4 278*4 722*2 778*5 584 778 722*4 667*2 611 556*6 889' +
    ' 556*5 278*4 611*7 584 611*5 556 611 556',
);

interface Line {
  text: string;
  font: 'F1' | 'F2';
  size: number;
  x: number;
  y: number;
}

/** The A4 minutes as a PDF file: the title, then the paragraphs, with « 1 / 3 » at the foot of each page. */
export function minutesPdf(titre: string, paragraphs: string[]): Buffer {
  const pages = layOut(winAnsi(titre), paragraphs.map(winAnsi));
  pages.forEach((page, index) => {
    const text = winAnsi(`${index + 1} / ${pages.length}`);
    const x = (PAGE_WIDTH - textWidth(text, REGULAR, FOOTER.size)) / 2;
    page.push({ text, font: 'F1', size: FOOTER.size, x, y: FOOTER.y });
  });

  // Objects 1 to 5 are fixed; each page then takes two: the page and what it shows.
  const pageId = (index: number): number => 6 + index * 2;
  const font = (name: string): string =>
    `<< /Type /Font /Subtype /Type1 /BaseFont /${name} /Encoding /WinAnsiEncoding >>`;
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R /Lang (fr-FR) /ViewerPreferences << /DisplayDocTitle true >> >>',
    `<< /Type /Pages /Count ${pages.length} /Kids [${pages.map((_, i) => `${pageId(i)} 0 R`).join(' ')}] >>`,
    font('Helvetica'),
    font('Helvetica-Bold'),
    // UTF-16 there, as text strings outside a page are not in the page's encoding.
    `<< /Title ${utf16(titre)} /Producer (Passerelle) >>`,
  ];
  pages.forEach((page, index) => {
    const stream = page.map(drawn).join('\n');
    objects.push(
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${PAGE_WIDTH} ${PAGE_HEIGHT}]` +
        ` /Resources << /Font << /F1 3 0 R /F2 4 0 R >> >> /Contents ${pageId(index) + 1} 0 R >>`,
      `<< /Length ${stream.length} >>\nstream\n${stream}\nendstream`,
    );
  });
  return assemble(objects);
}

/** Cuts the text into lines and the lines into pages. */
function layOut(titre: string, paragraphs: string[]): Line[][] {
  const pages: Line[][] = [[]];
  let y = PAGE_HEIGHT - MARGIN;
  const room = PAGE_WIDTH - 2 * MARGIN;

  const write = (lines: string[], font: 'F1' | 'F2', style: typeof BODY, heading = false): void => {
    lines.forEach((text, index) => {
      const left = lines.length - index;
      // A lone first line at the foot of a page, or a lone last one at the head, reads badly; so does a
      // heading that what follows has left.
      const wanted = heading ? 3 : (index === 0 && left > 1) || left === 2 ? 2 : 1;
      const gap = heading ? style.gap : 0;
      if (y - style.leading * wanted - gap < BOTTOM) {
        pages.push([]);
        y = PAGE_HEIGHT - MARGIN;
      }
      y -= style.leading;
      pages.at(-1)?.push({ text, font, size: style.size, x: MARGIN, y });
    });
    y -= style.gap;
  };

  write(wrap(titre, BOLD, TITLE.size, room), 'F2', TITLE);
  paragraphs.forEach((paragraph, index) => {
    const lines = wrap(paragraph, REGULAR, BODY.size, room);
    // Headings are known by their shape: one line without a full stop, with a paragraph after it.
    const heading = lines.length === 1 && !/[.!?\x85]$/.test(paragraph) && index < paragraphs.length - 1;
    write(lines, 'F1', BODY, heading);
  });
  return pages;
}

/** Breaks at plain spaces only: those before « : » or in « 18 h 30 » are non-breaking (0xa0) by now. */
function wrap(text: string, widths: readonly number[], size: number, room: number): string[] {
  const lines: string[] = [];
  let current = '';
  for (const word of text.split(/[ \n]+/).filter((part) => part !== '')) {
    const longer = current === '' ? word : `${current} ${word}`;
    if (current !== '' && textWidth(longer, widths, size) > room) {
      lines.push(current);
      current = word;
    } else {
      current = longer;
    }
    // An address may be longer than a line: cut it rather than let it run off the page.
    while (current.length > 1 && textWidth(current, widths, size) > room) {
      let end = current.length - 1;
      while (end > 1 && textWidth(current.slice(0, end), widths, size) > room) end -= 1;
      lines.push(current.slice(0, end));
      current = current.slice(end);
    }
  }
  if (current !== '') lines.push(current);
  return lines;
}

/** Joins the objects; the offsets of the cross-reference table are bytes, hence one character a byte. */
function assemble(objects: string[]): Buffer {
  // The comment of high bytes tells transfer programs that the file is binary.
  let file = '%PDF-1.4\n%\xe2\xe3\xcf\xd3\n';
  const offsets: number[] = [];
  objects.forEach((object, index) => {
    offsets.push(file.length);
    file += `${index + 1} 0 obj\n${object}\nendobj\n`;
  });
  const start = file.length;
  const size = objects.length + 1;
  const entries = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  file += `xref\n0 ${size}\n0000000000 65535 f \n${entries}`;
  file += `trailer\n<< /Size ${size} /Root 1 0 R /Info 5 0 R >>\nstartxref\n${start}\n%%EOF\n`;
  return Buffer.from(file, 'latin1');
}

function drawn({ text, font, size, x, y }: Line): string {
  const escaped = text.replace(/[\\()]/g, '\\$&');
  return `BT /${font} ${size} Tf ${x.toFixed(2)} ${y.toFixed(2)} Td (${escaped}) Tj ET`;
}

/** Each character of the result is one byte of the encoding, so that lengths are byte lengths. */
function winAnsi(text: string): string {
  let bytes = '';
  // Composed first, as a decomposed « é » has no code of its own.
  for (const character of text.normalize('NFC')) {
    const code = character.codePointAt(0) ?? 0x3f;
    const plain = character === '\n' || (code >= 0x20 && code < 0x7f) || (code >= 0xa0 && code <= 0xff);
    const high = HIGH_CODES.indexOf(character);
    bytes += String.fromCharCode(plain ? code : high >= 0 ? 0x80 + high : (STAND_IN[character] ?? 0x3f));
  }
  return bytes;
}

function utf16(text: string): string {
  const bytes = Buffer.from(`\ufeff${text}`, 'utf16le').swap16();
  return `<${bytes.toString('hex').toUpperCase()}>`;
}

function textWidth(text: string, widths: readonly number[], size: number): number {
  let total = 0;
  for (let i = 0; i < text.length; i += 1) total += widths[text.charCodeAt(i) - 0x20] ?? 556;
  return (total * size) / 1000;
}

function widthTable(compact: string): number[] {
  return compact.split(' ').flatMap((entry) => {
    const [width, count] = entry.split('*');
    return Array<number>(Number(count ?? 1)).fill(Number(width));
  });
}
