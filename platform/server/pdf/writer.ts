import { readFileSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import {
  ops,
  PDF,
  PdfArray,
  PdfBool,
  PdfDict,
  PdfName,
  PdfNumber,
  type PdfRef,
  PdfString,
} from '@libpdf/core';
import type { Printed, PrintedBlock } from './pdf.ts';

/* Runs in a thread for each document: one of hundreds of pages takes a second, which would block the site. */

/** Points. */
const [WIDTH, HEIGHT, MARGIN, FOOT] = [595, 842, 57, 34] as const;
/** Where values begin beside their labels. */
const INDENT = 170;
const PLAIN = { size: 9.5, before: 0, after: 4, isBold: false };
const STYLES = {
  H1: { size: 19, before: 0, after: 10, isBold: true },
  H2: { size: 12, before: 14, after: 4, isBold: true },
  P: PLAIN,
  Figure: PLAIN,
};
const LINE = 1.4;
/** Longest side of a picture. */
const PICTURE_MAX = 180;

/** Stands for what the fonts have no drawing of: an emoji, a letter of a distant script. */
const MISSING = '□';
const WHY_MISSING = `Le signe ${MISSING} remplace un caractère que ce document ne sait pas écrire.`;

const { title, about, blocks }: Printed = workerData;
const pdf = PDF.create();
const fontAt = (file: string) => pdf.embedFont(readFileSync(new URL(file)));
const plain = fontAt(import.meta.resolve('#platform/server/pdf/fonts/dejavu.ttf'));
const bold = fontAt(import.meta.resolve('#platform/server/pdf/fonts/dejavu-bold.ttf'));

/** A text as the fonts can draw it, without signs that turn lines round or are not seen. */
function drawable(text: string): string {
  const lines = text.normalize('NFC').replace(/\r\n?/g, '\n').replaceAll('\t', ' ');
  return lines
    .replace(/(?!\n)[\p{Cc}\p{Cf}\p{Cs}\p{Variation_Selector}]/gu, '')
    .replace(/[^\n]/gu, (sign) => (plain.canEncode(sign) ? sign : MISSING));
}

/**
 * Broken at ordinary spaces only, not where French has one that does not break; a word that is wider than a line,
 * anywhere. The space at the end of a line parts its words from the next ones for who hears or copies them.
 */
function linesOf(text: string, font: typeof plain, size: number, width: number): string[] {
  const fits = (line: string) => font.getTextWidth(line, size) <= width;
  return drawable(text)
    .split('\n')
    .flatMap((paragraph) => {
      const lines: string[] = [];
      let line = '';
      for (const word of paragraph.split(' ')) {
        if (line !== '' && !fits(`${line} ${word}`)) {
          lines.push(`${line} `);
          line = '';
        } else if (line !== '') line += ' ';
        for (const sign of fits(line + word) ? [word] : word) {
          if (!fits(line + sign)) {
            lines.push(line);
            line = '';
          }
          line += sign;
        }
      }
      return [...lines, `${line} `];
    });
}

/* What the marked contents are: elements of a tree, which is how a document is read aloud. */

const root = pdf.register(new PdfDict());
const whole = pdf.register(new PdfDict());
const elements = new PdfArray();
/** By page: the elements of its contents, in their order. */
const marked: PdfRef[][] = [];
const fill = (ref: PdfRef, values: Parameters<typeof PdfDict.of>[0]) => {
  for (const [name, value] of Object.entries(values)) (pdf.getObject(ref) as PdfDict).set(name, value);
};

let page = addPage();
let y = HEIGHT - MARGIN;

function addPage() {
  const added = pdf.addPage({ width: WIDTH, height: HEIGHT });
  added.dict.set('StructParents', PdfNumber.of(marked.push([]) - 1));
  return added;
}

function makeRoom(height: number): void {
  if (y - height >= MARGIN) return;
  page = addPage();
  y = HEIGHT - MARGIN;
}

function addBlock({ tag, label, text, jpeg }: PrintedBlock): void {
  const { size, before, after, isBold } = STYLES[tag];
  const kids = new PdfArray();
  const name = PdfName.of(tag);
  const element = pdf.register(PdfDict.of({ Type: PdfName.of('StructElem'), S: name, P: whole, K: kids }));
  elements.push(element);
  const mark = (draw: () => void) => {
    const MCID = PdfNumber.of((marked.at(-1)?.push(element) ?? 1) - 1);
    kids.push(PdfDict.of({ Type: PdfName.of('MCR'), Pg: page.ref, MCID }));
    page.drawOperators([ops.beginMarkedContentProps(`/${tag}`, PdfDict.of({ MCID }))]);
    draw();
    page.drawOperators([ops.endMarkedContent()]);
  };

  if (y < HEIGHT - MARGIN) y -= before;
  if (jpeg) {
    const image = pdf.embedImage(jpeg);
    const part = Math.min(1, PICTURE_MAX / Math.max(image.width, image.height));
    const [width, height] = [image.width * part, image.height * part];
    makeRoom(height);
    fill(element, { Alt: PdfString.fromString(text) });
    mark(() => page.drawImage(image, { x: MARGIN + INDENT, y: y - height, width, height }));
    y -= height + after;
    return;
  }
  const font = isBold ? bold : plain;
  const left = label === undefined ? 0 : INDENT;
  const labels = label === undefined ? [] : linesOf(`${label}\u202f:`, bold, size, INDENT - 12);
  const lines = linesOf(text, font, size, WIDTH - 2 * MARGIN - left);
  const step = size * LINE;
  const count = Math.max(labels.length, lines.length);
  // A heading stays with what follows it, a label with its value.
  makeRoom((tag === 'P' ? Math.max(labels.length, Math.min(count, 2)) : count + 4) * step);
  for (let done = 0; done < count; ) {
    makeRoom(step);
    const next = done + Math.max(1, Math.floor((y - MARGIN) / step));
    const drawPart = (texts: string[], font: typeof plain, x: number) => {
      for (const [index, line] of texts.slice(done, next).entries())
        page.drawText(line, { x: MARGIN + x, y: y - size - index * step, font, size });
    };
    mark(() => {
      drawPart(labels, bold, 0);
      drawPart(lines, font, left);
    });
    y -= (Math.min(next, count) - done) * step;
    done = next;
  }
  y -= after;
}

for (const block of blocks) addBlock(block);
if (blocks.some(({ text }) => drawable(text).includes(MISSING))) addBlock({ tag: 'P', text: WHY_MISSING });

const pages = pdf.getPages();
for (const [index, one] of pages.entries()) {
  const [size, foot] = [8, `page ${index + 1} sur ${pages.length}`];
  const right = WIDTH - MARGIN - plain.getTextWidth(foot, size);
  const [name = ''] = linesOf(about, plain, size, right - MARGIN - 20);
  one.drawOperators([ops.beginMarkedContent('/Artifact')]);
  one.drawText(name, { x: MARGIN, y: FOOT, font: plain, size });
  one.drawText(foot, { x: right, y: FOOT, font: plain, size });
  one.drawOperators([ops.endMarkedContent()]);
}

const Nums = new PdfArray(marked.flatMap((refs, index) => [PdfNumber.of(index), new PdfArray(refs)]));
fill(whole, { Type: PdfName.of('StructElem'), S: PdfName.of('Document'), P: root, K: elements });
fill(root, { Type: PdfName.of('StructTreeRoot'), K: whole, ParentTree: PdfDict.of({ Nums }) });
pdf.getCatalog().set('MarkInfo', PdfDict.of({ Marked: PdfBool.of(true) }));
pdf.getCatalog().set('StructTreeRoot', root);
pdf.setTitle(title, { showInWindowTitleBar: true });
pdf.setLanguage('fr-FR');
parentPort?.postMessage(await pdf.save({ subsetFonts: true }));
