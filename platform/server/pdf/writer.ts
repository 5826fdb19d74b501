import { fileURLToPath } from 'node:url';
import { parentPort, workerData } from 'node:worker_threads';
import PDFDocument from 'pdfkit';
import type { Printed, PrintedBlock } from './pdf.ts';

/* Runs in a thread for each document: one of hundreds of pages takes a second, which would block the site. */

/** Points. */
const [MARGIN, FOOT] = [57, 800] as const;
/** Where values begin beside their labels. */
const INDENT = 170;
const PLAIN = { size: 9.5, before: 0, after: 4, isBold: false };
const STYLES = {
  H1: { size: 19, before: 0, after: 10, isBold: true },
  H2: { size: 12, before: 14, after: 4, isBold: true },
  P: PLAIN,
  Figure: PLAIN,
};
/** Longest side of a picture. */
const PICTURE_MAX = 180;
/** Height that has to be free under a title, for what follows it, and for a paragraph that begins. */
const [UNDER_TITLE, TO_BEGIN] = [60, 30] as const;

/** Stands for what the fonts have no drawing of: an emoji, a letter of a distant script. */
const MISSING = '□';
const WHY_MISSING = `Le signe ${MISSING} remplace un caractère que ce document ne sait pas écrire.`;

const fontAt = (name: string) => fileURLToPath(import.meta.resolve(`#platform/server/pdf/fonts/${name}.ttf`));
const [plain, bold] = [fontAt('dejavu'), fontAt('dejavu-bold')];

const { title, about, blocks }: Printed = workerData;
const pdf = new PDFDocument({
  size: 'A4',
  margin: MARGIN,
  font: plain,
  bufferPages: true,
  pdfVersion: '1.7',
  tagged: true,
  lang: 'fr-FR',
  displayTitle: true,
  info: { Title: title },
});
const width = pdf.page.width - 2 * MARGIN;
/** What its types leave out. */
interface Untyped {
  _font: { font: { hasGlyphForCodePoint(code: number): boolean } };
  openImage(jpeg: Buffer): { width: number; height: number };
}
const untyped = pdf as unknown as Untyped;
const { font: drawn } = untyped._font;
const whole = pdf.struct('Document');
pdf.addStructure(whole);

/** A text as the fonts can draw it, without signs that turn lines round or are not seen. */
function drawable(text: string): string {
  const lines = text.normalize('NFC').replace(/\r\n?/g, '\n').replaceAll('\t', ' ');
  return lines
    .replace(/(?!\n)[\p{Cc}\p{Cf}\p{Cs}\p{Variation_Selector}]/gu, '')
    .replace(/[^\n]/gu, (sign) => (drawn.hasGlyphForCodePoint(sign.codePointAt(0) ?? 0) ? sign : MISSING));
}

function makeRoom(height: number): void {
  if (pdf.y + height > pdf.page.height - MARGIN) pdf.addPage();
}

function addBlock({ tag, label, text: given, jpeg }: PrintedBlock): void {
  const { size, before, after, isBold } = STYLES[tag];
  // The space at the end of a line parts its words from the next ones, for who hears or copies them; endless
  // words are cut here, as finding where they fit takes long.
  const text = drawable(given)
    .replaceAll('\n', ' \n')
    .replace(/\S{500}/g, '$&\n');
  const bytes = jpeg && Buffer.from(jpeg);
  const image = bytes && untyped.openImage(bytes);
  const part = image ? Math.min(1, PICTURE_MAX / Math.max(image.width, image.height)) : 1;
  const name = label === undefined ? '' : `${drawable(label)}\u202f: `;
  const beside = { width: INDENT - 12, lineGap: 2 };
  const left = MARGIN + (label === undefined ? 0 : INDENT);
  pdf.fontSize(size).font(bold);
  if (pdf.y > MARGIN) pdf.y += before;
  const least = image ? image.height * part : isBold ? UNDER_TITLE : TO_BEGIN;
  makeRoom(Math.max(least, pdf.heightOfString(name, beside)));
  const draw = () => {
    const { y, page } = pdf;
    if (bytes && image) {
      pdf.image(bytes, MARGIN + INDENT, y, { scale: part });
      pdf.y = y + image.height * part;
      return;
    }
    if (name !== '') pdf.text(name, MARGIN, y, beside);
    const under = pdf.y;
    pdf.font(isBold ? bold : plain).text(text, left, y, { width: MARGIN + width - left, lineGap: 2 });
    if (pdf.page === page) pdf.y = Math.max(pdf.y, under);
  };
  const element = pdf.struct(tag, image ? { alt: text } : {}, draw);
  whole.add(element);
  element.end();
  pdf.y += after;
}

for (const block of blocks) addBlock(block);
if (blocks.some(({ text }) => drawable(text).includes(MISSING))) addBlock({ tag: 'P', text: WHY_MISSING });
whole.end();

const { count } = pdf.bufferedPageRange();
for (let index = 0; index < count; index++) {
  pdf.switchToPage(index);
  // What stands at the foot would begin another page.
  pdf.page.margins.bottom = 0;
  pdf.markContent('Artifact', { type: 'Pagination' });
  pdf.font(plain).fontSize(8);
  pdf.text(drawable(about), MARGIN, FOOT, { width: width - 90, height: 10, ellipsis: true });
  pdf.text(`page ${index + 1} sur ${count}`, MARGIN, FOOT, { width, align: 'right' });
  pdf.endMarkedContent();
}
const parts: Buffer[] = [];
pdf.on('data', (part: Buffer) => parts.push(part));
pdf.on('end', () => parentPort?.postMessage(Buffer.concat(parts)));
pdf.end();
