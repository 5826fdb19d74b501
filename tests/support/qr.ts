import jsqr from 'jsqr';
import sharp from 'sharp';

/** What a telephone reads of a QR code as pages draw it, on white. */
export async function readQr({
  taille,
  trace,
}: {
  taille: number;
  trace: string;
}): Promise<string | undefined> {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="-4 -4 ${taille + 8} ${taille + 8}" width="400" height="400"><path d="${trace}"/></svg>`;
  const { data, info } = await sharp(Buffer.from(svg))
    .flatten({ background: '#ffffff' })
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  return jsqr.default(new Uint8ClampedArray(data), info.width, info.height)?.data;
}
