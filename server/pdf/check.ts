import { readFile } from 'node:fs/promises';
import { inflateSync } from 'node:zlib';

/*
 * PDFs are stored as received and opened by browsers, so what could act is refused before. A viewer finds its
 * objects in the plain body or in compressed object streams; both are read here, names with their escapes
 * undone. What cannot be read that way is refused too.
 */

const MAX_PAGES = 500;
/** Bytes of inflated object streams read at the most: real minutes have a few hundred kilobytes. */
const MAX_INFLATED = 64 * 1024 * 1024;

/** Why a PDF is refused, as a French sentence; undefined when it is fine. */
export async function whyPdfRefused(path: string): Promise<string | undefined> {
  const bytes = await readFile(path);
  const text = bytes.toString('latin1');
  if (
    !text.startsWith('%PDF-') ||
    !/%%EOF\s*$/.test(text.slice(-2048)) ||
    !/startxref\s+\d+/.test(text.slice(-4096))
  ) {
    return 'ce PDF est abîmé ou incomplet.';
  }
  const parts = objectTexts(bytes, text);
  if (!parts)
    return 'ce PDF est fait d’une façon que le site ne sait pas vérifier : enregistrez-le à nouveau en PDF.';
  const names = parts.map(unescapeNames);
  if (names.some((part) => /\/Encrypt\b/.test(part))) return 'ce PDF est protégé par un mot de passe.';
  if (
    names.some((part) =>
      /\/(JavaScript|JS|Launch|EmbeddedFiles?|RichMedia|XFA|GoToE|SubmitForm|ImportData)\b/.test(part),
    )
  ) {
    return 'ce PDF contient un script, un fichier joint ou un formulaire actif : il ne peut pas être publié.';
  }
  const pages = names.reduce((sum, part) => sum + (part.match(/\/Type\s*\/Page\b/g)?.length ?? 0), 0);
  if (pages === 0) return 'ce PDF est abîmé ou incomplet.';
  return pages > MAX_PAGES ? `ce PDF a ${pages} pages (${MAX_PAGES} au plus).` : undefined;
}

/** `/J#61vaScript` is `/JavaScript`. */
function unescapeNames(text: string): string {
  return text.replace(/#([0-9a-fA-F]{2})/g, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
}

/**
 * The text of every object: the body with its stream data cut out (pictures and fonts could hold any bytes by
 * chance), and the object streams inflated. Undefined when one of them cannot be inflated.
 */
function objectTexts(bytes: Buffer, text: string): string[] | undefined {
  const texts: string[] = [];
  let budget = MAX_INFLATED;
  let at = 0;
  for (;;) {
    const start = text.indexOf('stream', at);
    if (start === -1) break;
    const dictionary = text.slice(at, start);
    texts.push(dictionary);
    const data = start + 'stream'.length + (text.startsWith('\r\n', start + 6) ? 2 : 1);
    const end = text.indexOf('endstream', data);
    if (end === -1) return undefined;
    const own = unescapeNames(dictionary.slice(dictionary.lastIndexOf(' obj')));
    if (/\/ObjStm\b/.test(own)) {
      if (!/\/Filter\s*\[?\s*\/FlateDecode\s*\]?/.test(own) || /\/DecodeParms/.test(own)) return undefined;
      try {
        const inflated = inflateSync(bytes.subarray(data, end), { maxOutputLength: budget });
        budget -= inflated.length;
        texts.push(inflated.toString('latin1'));
      } catch {
        return undefined;
      }
    }
    at = end + 'endstream'.length;
  }
  texts.push(text.slice(at));
  return texts;
}
