import { readFile } from 'node:fs/promises';
import { inflateSync } from 'node:zlib';

/*
 * Checks of PDFs. They are stored as received and opened by browsers, so active content is refused before. A viewer
 * reads an object wherever the file's table points, in strings, comments and stream data too, or inside a compressed
 * object stream. So every place where an object could begin is read as one, with escapes decoded, up to its end or
 * its stream; an object stream that cannot be opened is refused.
 *
 * Runs in a worker thread: a hostile file may inflate to megabytes, and no visitor should wait for that.
 */

const MAX_PAGES = 500;
/** Most bytes of inflated object streams read: real minutes have a few hundred kilobytes. */
const MAX_INFLATED = 64 * 1024 * 1024;
/** Most characters of objects read, overlaps counted each time. */
const MAX_READ = 64 * 1024 * 1024;
/** Most places where an object could begin: each is read up to its stream. */
const MAX_OBJECTS = 200_000;

const BROKEN = 'ce PDF est abîmé ou incomplet.';
const ACTIVE =
  /\/(JavaScript|JS|Launch|EmbeddedFiles?|RichMedia|GoToE|SubmitForm|ImportData)(?![A-Za-z])|\/XFA[\s[(\d]/;
/** What leads into another file, and what happens by itself when a page or a field is entered, left or drawn. */
const LEADS_AWAY = /\/GoToR(?![A-Za-z])|\/AA[\s\0]*[<\d%]/;

/** Why a PDF is refused, as a French sentence; undefined when it is fine. */
export async function run(path: string): Promise<string | undefined> {
  const bytes = await readFile(path);
  const text = bytes.toString('latin1');
  const isWhole = /%%EOF\s*$/.test(text.slice(-2048)) && /startxref\s+\d+/.test(text.slice(-4096));
  if (!text.startsWith('%PDF-') || !isWhole) return BROKEN;
  const found = findObjects(bytes, text);
  if (!found) {
    return 'ce PDF est fait d’une façon que le site ne sait pas vérifier\u202f: enregistrez-le à nouveau en PDF.';
  }
  const { parts } = found;
  if (parts.some((part) => /\/Encrypt(?![A-Za-z])/.test(part)))
    return 'ce PDF est protégé par un mot de passe.';
  if (parts.some((part) => ACTIVE.test(part))) {
    return 'ce PDF contient un script, un fichier joint ou un formulaire actif\u202f: il ne peut pas être publié.';
  }
  if (parts.some((part) => LEADS_AWAY.test(part)) || !opensOnItself(found)) {
    return 'ce PDF ouvre de lui-même un autre fichier ou une adresse\u202f: il ne peut pas être publié.';
  }
  const pages = parts.reduce(
    (sum, part) => sum + (part.match(/\/Type\s*\/Page(?![A-Za-z])/g)?.length ?? 0),
    0,
  );
  if (pages === 0) return BROKEN;
  return pages > MAX_PAGES ? `ce PDF a ${pages} pages (${MAX_PAGES} au plus).` : undefined;
}

/** Decodes escapes in names: `/J#61vaScript` is `/JavaScript`. */
function unescapeNames(text: string): string {
  return text.replace(/#([0-9a-fA-F]{2})/g, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
}

/** What a viewer may read as objects, names unescaped. */
interface Found {
  /** Their text outside of strings, comments and stream data, and the whole content of object streams. */
  parts: string[];
  /** Each by itself; what is in an object stream from where it begins, not unescaped. */
  objects: Numbered[];
}

interface Numbered {
  /** Undefined where none can be read: of a trailer, behind a comment. */
  number: number | undefined;
  text: string;
}

/**
 * What a viewer may read as objects. Undefined when an object stream cannot be opened, or there is more than a real
 * document has.
 */
function findObjects(bytes: Buffer, text: string): Found | undefined {
  const parts: string[] = [];
  const objects: Numbered[] = [];
  let budget = MAX_INFLATED;
  let read = 0;
  const starts = /(?<!end)obj|trailer/g;
  for (let count = 0; starts.exec(text); count++) {
    if (count > MAX_OBJECTS) return undefined;
    const from = starts.lastIndex;
    // Pictures contain these letters by chance; a real object has its number before them, or a comment.
    if (text[from - 1] === 'j' && !mayBeNumbered(text, from - 4)) continue;
    const object = readObject(text, from);
    if (!object) return undefined;
    const { said, stream, end } = object;
    // Overlapping objects are read again each time: a file full of them would take for ever.
    read += end - from;
    if (read > MAX_READ) return undefined;
    const names = unescapeNames(said);
    parts.push(names);
    objects.push({ number: numberBefore(text, from - 3), text: names });
    // The entries that a viewer needs to read an object stream, whatever type the stream declares.
    const first = /\/First(?![A-Za-z])\s*(\d*)/.exec(names);
    if (!stream || !first || !/\/N(?![A-Za-z])/.test(names)) continue;
    const data = inflate(bytes, text, stream, names, budget);
    if (!data) return undefined;
    budget -= data.length;
    const content = data.toString('latin1');
    parts.push(unescapeNames(content));
    objects.push(...packedObjects(content, Number(first[1])));
  }
  return { parts, objects };
}

/** The number of the object whose `obj` is at `at`; undefined when none can be read. */
function numberBefore(text: string, at: number): number | undefined {
  const [, number] =
    /(?:^|[\r\n])[^%\r\n]*?(\d+)[\s\0]+\d+[\s\0]*$/.exec(text.slice(Math.max(0, at - 40), at)) ?? [];
  return number === undefined ? undefined : Number(number);
}

/** The objects of an object stream: before `first` stand pairs of a number and a place after it. */
function packedObjects(content: string, first: number): Numbered[] {
  const pairs = content.slice(0, first).matchAll(/(\d+)[\s\0]+(\d+)/g);
  return [...pairs].map(([, number, place]) => ({
    number: Number(number),
    text: content.slice(first + Number(place)),
  }));
}

/** True when the document does nothing as it is opened, or shows a place of its own. */
function opensOnItself({ parts, objects }: Found): boolean {
  const values = parts.flatMap((part) => part.split(/\/OpenAction(?![A-Za-z])/).slice(1));
  return values.every((value) => isOwnPlace(value) || leadsToOwnPlace(value, objects));
}

/** True for a destination, and for an action that goes to one and ends there. */
function isOwnPlace(value: string): boolean {
  const [, list, action = ''] = /^[\s\0]*(?:(\[)|<<((?:[^<>]|<[\da-fA-F\s\0]*>)*)>>)/.exec(value) ?? [];
  if (list !== undefined) return true;
  return /\/S[\s\0]*\/GoTo(?![A-Za-z])/.test(action) && !/\/(Next|URI)(?![A-Za-z])/.test(action);
}

/** Characters of an action that are read. */
const MAX_ACTION = 4_096;

/** True when all objects that a reference may mean are places of the document. */
function leadsToOwnPlace(value: string, objects: Numbered[]): boolean {
  const [, number] = /^[\s\0]*(\d+)[\s\0]+\d+[\s\0]+R/.exec(value) ?? [];
  const meant = objects.filter((one) => one.number === Number(number));
  if (meant.length === 0) return false;
  if (objects.some((one) => one.number === undefined && /\/URI(?![A-Za-z])/.test(one.text))) return false;
  return meant.every(({ text }) => isOwnPlace(unescapeNames(text.slice(0, MAX_ACTION))));
}

function inflate(
  bytes: Buffer,
  text: string,
  start: number,
  dictionary: string,
  budget: number,
): Buffer | undefined {
  const isFlateOnly = /\/Filter\s*(\/FlateDecode(?![A-Za-z])|\[\s*\/FlateDecode\s*\])/.test(dictionary);
  if (!isFlateOnly || /\/(DecodeParms|DP|F|FFilter)(?![A-Za-z])/.test(dictionary)) return undefined;
  const end = text.indexOf('endstream', start);
  if (end === -1) return undefined;
  try {
    return inflateSync(bytes.subarray(start, end), { maxOutputLength: Math.max(1, budget) });
  } catch {
    return undefined;
  }
}

/** True when a digit, or a comment that may hide one, stands before `at`, blanks aside. */
function mayBeNumbered(text: string, at: number): boolean {
  let last = at;
  while (last >= 0 && isBlank(text.charCodeAt(last))) last--;
  if (/\d/.test(text.charAt(last))) return true;
  const lineStart = Math.max(text.lastIndexOf('\n', last), text.lastIndexOf('\r', last)) + 1;
  return text.slice(lineStart, last + 1).includes('%');
}

/** True for what PDF calls white space: NUL, tab, line feed, form feed, carriage return, space. */
function isBlank(code: number): boolean {
  return code === 0 || code === 9 || code === 10 || code === 12 || code === 13 || code === 32;
}

/** One token: blanks, a comment, a bracket, a hexadecimal string, the start of a literal string, or a word. */
const TOKEN =
  /[\s\0]+|%[^\r\n]*|<<|>>|[[\]{}]|<[\da-fA-F\s\0]*>|\(|\/[^\s\0()<>[\]{}/%]*|[^\s\0()<>[\]{}/%]+/y;
interface PdfObject {
  /** Its text without strings and comments. */
  said: string;
  /** Where the data of its stream starts. */
  stream: number | undefined;
  end: number;
}

/** Longest object read, in characters: fonts have tables of some ten thousand. */
const MAX_DICTIONARY = 1_000_000;

/**
 * Reads the object that begins at `from`: its text without strings and comments, and where the data of its stream
 * starts, if it has one. Like a viewer it skips what makes no sense, until the dictionary closes. Undefined when it
 * never closes.
 */
function readObject(text: string, from: number): PdfObject | undefined {
  let at = from;
  let said = '';
  let depth = 0;
  let last = '';
  while (at < text.length && at - from < MAX_DICTIONARY) {
    TOKEN.lastIndex = at;
    const token = TOKEN.exec(text)?.[0] ?? text.charAt(at);
    if (depth <= 0 && (token.startsWith('endobj') || token.startsWith('startxref')))
      return { said, stream: undefined, end: at };
    if (depth <= 0 && last === '>>' && token === 'stream') {
      return { said, stream: at + 6 + (text.startsWith('\r\n', at + 6) ? 2 : 1), end: at };
    }
    if (token === '<<') depth++;
    if (token === '>>') depth--;
    at = token === '(' ? endOfString(text, at + 1) : at + token.length;
    if (isBlank(token.charCodeAt(0)) || /^[\s%(]/.test(token)) said += ' ';
    else {
      said += token;
      last = token;
    }
  }
  return at < text.length || depth > 0 ? undefined : { said, stream: undefined, end: at };
}

/** The place after the bracket that closes a string; brackets inside are balanced or escaped. */
function endOfString(text: string, from: number): number {
  let depth = 1;
  let at = from;
  for (; at < text.length && depth > 0 && at - from < MAX_DICTIONARY; at++) {
    if (text[at] === '\\') at++;
    else if (text[at] === '(') depth++;
    else if (text[at] === ')') depth--;
  }
  return at;
}
