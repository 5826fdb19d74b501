import { execFileSync } from 'node:child_process';

/** What a program of Debian says of a file. */
export function says(program: 'qpdf' | 'pdfinfo' | 'pdffonts' | 'pdftotext', ...words: string[]): string {
  return execFileSync(program, words, { encoding: 'utf8' });
}

/** The texts of the elements that the PDF at `path` is made of, for who hears it; blank for a picture. */
export function elementsOf(path: string): string[] {
  const parts = says('pdfinfo', '-struct-text', path).split(/^ {2}(?:H1|H2|P|Figure)\b.*\n/m);
  return parts.slice(1).map((part) => part.replace(/^ {4}"(.*)"\n/gm, '$1').trim());
}
