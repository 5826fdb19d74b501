/** Most characters of what a camera says of itself. */
const WORDS_MAX = 40;
/** Characters that are read of it; the rest does not count. */
export const CAMERA_WORDS = 160;
/** What `cameraName` writes. */
export const CAMERA = /^[\w .,()&/+-]{1,81}( #[0-9a-f]{4})?$/;

/**
 * Name of a camera from what its photos say: make and model in plain ASCII, as is the rule of EXIF, and a mark that
 * tells two of one model apart, `Canon EOS 90D #4f2a`. Blank when it has no name: a serial number alone is not
 * kept. The mark is one of 65,536 for all serial numbers: none can be read back from it.
 */
export function cameraName(make: unknown, model: unknown, serial: unknown): string {
  const [maker, type, number] = [wordsOf(make), wordsOf(model), wordsOf(serial)];
  const [brand = ''] = maker.split(' ');
  const isNamed = type.toLowerCase().startsWith(brand.toLowerCase());
  const name = isNamed ? type || maker : `${maker} ${type}`.trim();
  return name === '' || number === '' ? name : `${name} #${markOf(number)}`;
}

/** A camera as people name it, without its mark. */
export function plainCamera(name: string): string {
  return name.replace(/ #[0-9a-f]{4}$/, '');
}

/** The text of a tag, whose bytes anybody may have written. */
function wordsOf(tag: unknown): string {
  if (typeof tag !== 'string') return '';
  const plain = tag
    .slice(0, CAMERA_WORDS)
    .replace(/\0.*$/s, '')
    .replace(/[^\w .,()&/+-]+/g, ' ')
    .replace(/\s+/g, ' ');
  return plain.trim().slice(0, WORDS_MAX).trim();
}

/** FNV-1a, folded to 16 bits. */
function markOf(text: string): string {
  let hash = 0x811c9dc5;
  for (const letter of text) hash = Math.imul(hash ^ letter.charCodeAt(0), 0x01000193) >>> 0;
  return ((hash >>> 16) ^ (hash & 0xffff)).toString(16).padStart(4, '0');
}
