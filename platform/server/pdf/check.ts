import { PDF, PdfArray, PdfDict, type PdfObject, PdfRef, PdfString } from '@libpdf/core';
import { PasswordException } from 'unpdf/pdfjs';
import { MAX_PAGES, openDocument, type PdfResult } from './text.ts';

/*
 * What acts in a PDF is refused, and what is only shown is taken, links to the web and forms included: browsers run little of
 * what acts, in a sandbox of their own, but whoever keeps a copy opens it in other programs. pdf.js says whether a PDF opens
 * and how many pages it has; libpdf lists its objects, whether or not something leads to them
 * (docs/decisions/0032-two-readers-of-pdfs.md).
 */

/** Most objects that the standard lets a PDF have. */
const MAX_OBJECTS = 8_388_607;

/** What makes of any PDF that can be seen one that is only seen: printing draws its pages, and nothing else. */
const PRINT = 'imprimez-le en PDF, puis envoyez cette copie.';

const BROKEN = `ce PDF est abîmé ou incomplet\u202f: demandez-le de nouveau ou, s’il s’ouvre, ${PRINT}`;
const LOCKED = `ce PDF ne s’ouvre qu’avec un mot de passe\u202f: ouvrez-le, ${PRINT}`;
const UNREAD = `ce PDF est fait d’une façon que le site ne sait pas vérifier\u202f: ${PRINT}`;

const SCRIPT = 'un script';
const FILE = 'un lien vers un autre fichier';
const MEDIA = 'un son, une vidéo ou une vue en 3D';

/** What acts, by the type of an action. */
const ACTIONS = new Map([
  ['JavaScript', SCRIPT],
  ['Launch', 'un lien qui lance un programme'],
  ['GoToR', FILE],
  ['GoToE', FILE],
  ['SubmitForm', 'un formulaire qui s’envoie'],
  ['ImportData', 'un formulaire qui lit un fichier'],
  ['Rendition', MEDIA],
  ['Movie', MEDIA],
  ['Sound', MEDIA],
]);

/** Annotations that play something. */
const PLAYERS = new Set(['RichMedia', '3D', 'Movie', 'Sound', 'Screen']);

/** Where links may lead. */
const SCHEMES = new Set(['http:', 'https:', 'ftp:', 'mailto:', 'tel:']);

/** The message is a French sentence that says what to do. */
class PdfRefused extends Error {}

/** Whether a PDF may be kept. */
export async function checked(bytes: Uint8Array): Promise<PdfResult> {
  try {
    const { isScripted, isEncrypted, lacks } = await opened(bytes.slice());
    const what = isScripted ? SCRIPT : await whatActs(bytes, isEncrypted);
    if (what !== undefined) throw new PdfRefused(`ce PDF contient ${what}\u202f: ${PRINT}`);
    return { ok: true, pages: [], lacks };
  } catch (error) {
    const { message, cause } = error as Error;
    return error instanceof PdfRefused
      ? { ok: false, refused: message, detail: String(cause ?? '') }
      : { ok: false, refused: UNREAD, detail: message };
  }
}

/** What pdf.js says of a PDF, whose bytes are gone then. */
async function opened(bytes: Uint8Array) {
  const task = openDocument(bytes);
  try {
    const document = await task.promise;
    const { numPages } = document;
    if (numPages > MAX_PAGES) {
      const said = `ce PDF a ${numPages} pages (${MAX_PAGES} au plus)`;
      throw new PdfRefused(`${said}\u202f: envoyez-le en plusieurs fichiers.`);
    }
    // Throws where there is none.
    await document.getPage(1);
    // Metadata that cannot be read say nothing, as none.
    const { info } = await document.getMetadata().catch(() => ({ info: {} }));
    const isTitled = 'Title' in info && String(info.Title).trim() !== '';
    const marks = await document.getMarkInfo().catch(() => null);
    return {
      lacks: [...(isTitled ? [] : ['titre']), ...(marks?.Marked ? [] : ['balises'])],
      isScripted: (await document.getJSActions()) !== null,
      isEncrypted: (await document.getPermissions()) !== null,
    };
  } catch (error) {
    if (error instanceof PdfRefused) throw error;
    throw new PdfRefused(error instanceof PasswordException ? LOCKED : BROKEN, { cause: error });
  } finally {
    await task.destroy();
  }
}

type Get = (ref: PdfRef) => PdfObject | null;

/** After a comment as long as this, libpdf finds no table at the end of a file, and looks for objects in all of it. */
const COMMENT = new Uint8Array(1024).fill(0x25);

/** The first thing in a PDF that acts, in French; throws where libpdf cannot tell. */
async function whatActs(bytes: Uint8Array, isEncrypted: boolean): Promise<string | undefined> {
  try {
    return whatActsIn(await PDF.load(bytes, { lenient: false }), isEncrypted, false);
  } catch {
    return whatActsIn(await PDF.load(Buffer.concat([bytes, COMMENT])), isEncrypted, true);
  }
}

function whatActsIn(pdf: PDF, isEncrypted: boolean, isDamaged: boolean): string | undefined {
  const { nextObjectNumber } = pdf.context.registry;
  // Without its table, a file does not say that it is encrypted.
  if (pdf.isEncrypted !== isEncrypted || !pdf.isAuthenticated) throw new Error('its objects are encrypted');
  if (nextObjectNumber > MAX_OBJECTS) throw new Error('it has too many objects');
  const get: Get = (ref) => pdf.getObject(ref);
  let isCut = false;
  for (let number = 1; number < nextObjectNumber; number++) {
    for (const part of partsOf(get(PdfRef.of(number, 0)))) {
      const what = part instanceof PdfDict ? whatDoes(part, get) : undefined;
      if (what !== undefined) return what;
      // In a sound file, this means nothing.
      if (isDamaged && part instanceof PdfRef && get(part) === null) isCut = true;
    }
  }
  if (isCut) throw new PdfRefused(BROKEN);
  return undefined;
}

/** The dictionaries and references in an object; what those refer to are objects of their own. */
function* partsOf(object: PdfObject | null): Generator<PdfDict | PdfRef> {
  if (object instanceof PdfRef) yield object;
  else if (object instanceof PdfArray) for (const item of object) yield* partsOf(item);
  else if (object instanceof PdfDict) {
    yield object;
    for (const [, value] of object) yield* partsOf(value);
  }
}

function whatDoes(dict: PdfDict, get: Get): string | undefined {
  if (dict.has('EF')) return 'un fichier joint';
  if (dict.has('XFA')) return 'un formulaire XFA';
  if (PLAYERS.has(dict.getName('Subtype', get)?.value ?? '')) return MEDIA;
  const uri = dict.get('URI', get);
  // The catalog may say what addresses begin with.
  const address = uri instanceof PdfDict ? uri.get('Base', get) : uri;
  if (address instanceof PdfString && !isOfWeb(address.asString())) return 'un lien qui ne mène pas au web';
  for (const action of actsByItself(dict, get))
    if (action.has('URI')) return 'une adresse qui s’ouvre d’elle-même';
  return ACTIONS.get(dict.getName('S', get)?.value ?? '');
}

/** Whether a link leads to the web, as browsers read it, or to nowhere. */
function isOfWeb(address: string): boolean {
  const url = URL.parse(address, 'https://site.invalid');
  return url === null || SCHEMES.has(url.protocol);
}

/** What is done without a click when this is opened, shown, left or printed, and what follows from that. */
function actsByItself(dict: PdfDict, get: Get): Set<PdfDict> {
  const triggers = dict.get('AA', get);
  const found = new Set<PdfDict>();
  const add = (object: PdfObject | null | undefined) => {
    const action = object instanceof PdfRef ? get(object) : object;
    if (action instanceof PdfArray) for (const one of action) add(one);
    if (!(action instanceof PdfDict) || found.has(action)) return;
    found.add(action);
    add(action.get('Next', get));
  };
  add(dict.get('OpenAction', get));
  if (triggers instanceof PdfDict) for (const [, action] of triggers) add(action);
  return found;
}
