/* Pictures as they are stored and shown: their addresses, their sizes, and what a page needs to know of one. */

/** What a page needs to show one picture: its size avoids jumps, `apercu` is a ThumbHash in base64. */
export interface Illustration {
  nom: string;
  largeur: number;
  hauteur: number;
  apercu: string;
  texte_alternatif: string;
}

/**
 * Widths, in pixels, in which a picture is stored beside its largest size; only those below that size exist. They suit
 * a logo or a thumbnail; a phone's screen, or a column of a desktop; a phone's screen with a pixel ratio of three.
 */
export const PICTURE_WIDTHS = [320, 720, 1080] as const;

/** Longest side of the largest size kept, in pixels. */
export const PICTURE_MAX = 1920;

/** The widths in which a picture of `width` pixels is stored beside its own, narrowest first. */
export function narrowerWidths(width: number): number[] {
  return PICTURE_WIDTHS.filter((one) => one < width);
}

/** The name under which a narrower size of a picture is served. */
export function narrower(name: string, width: number): string {
  return name.replace(/\.webp$/, `-${width}.webp`);
}

/** Address of a picture in a folder; one that a form holds and has not sent has an address of its own. */
export function addressOfPicture(folder: string, name: string): string {
  return name.startsWith('blob:') ? name : folder + name;
}

/** Address of the files of a folder, before their name. */
export function addressOfFolder(folder: string): string {
  return `/api/${folder}/`;
}
