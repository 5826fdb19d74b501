import { PHOTO_BYTES } from '#features/photos/shared/terms.ts';
import { atMost } from '#platform/shared/bytes.ts';

/** What a folder of a computer holds beside its photos, and nobody has to be told of. */
const HIDDEN = /^(\.|Thumbs\.db$|desktop\.ini$)/i;
const NAMED_PHOTO = /\.(jpe?g|png|webp|avif|hei[cf])$/i;

/** What phones and cameras call photos; the bytes decide, on the server. */
export function seemsPhoto({ type, name }: File): boolean {
  return type.startsWith('image/') || NAMED_PHOTO.test(name);
}

/** Why a photo is not worth sending, if so. */
export function whyNot({ size }: Blob): string | undefined {
  if (size === 0) return 'ce fichier est vide.';
  return size > PHOTO_BYTES ? `cette photo est trop lourde (${atMost(PHOTO_BYTES)}).` : undefined;
}

/** The files that were dropped, those in folders and in folders of these too, in the order of their names. */
export async function filesDropped({ items, files }: DataTransfer): Promise<File[]> {
  // Asked for all of them at once: what was dropped is gone with the event.
  const entries = [...items].flatMap((item) => item.webkitGetAsEntry?.() ?? []);
  if (entries.length === 0) return [...files];
  const found = (await Promise.all(entries.map(filesIn))).flat();
  return found.sort((one, other) => one.name.localeCompare(other.name, 'fr', { numeric: true }));
}

async function filesIn(entry: FileSystemEntry): Promise<File[]> {
  if (HIDDEN.test(entry.name)) return [];
  try {
    if (entry.isFile) return [await fileOf(entry as FileSystemFileEntry)];
    const found = await entriesOf((entry as FileSystemDirectoryEntry).createReader());
    return (await Promise.all(found.map(filesIn))).flat();
  } catch {
    // Gone, or not to be read by this person: nothing that could be sent.
    return [];
  }
}

function fileOf(entry: FileSystemFileEntry): Promise<File> {
  return new Promise((resolve, reject) => entry.file(resolve, reject));
}

/** A reader gives a hundred at a time, and none once it has given all. */
async function entriesOf(reader: FileSystemDirectoryReader): Promise<FileSystemEntry[]> {
  const all: FileSystemEntry[] = [];
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) =>
      reader.readEntries(resolve, reject),
    );
    if (some.length === 0) return all;
    all.push(...some);
  }
}
