// node tools/icons.mjs: draws app/web/public/apple-touch-icon.png and favicon.ico, which Safari asks for, out of icon.svg.
// By hand, when that changes.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { root } from './files.mjs';

const folder = join(root, 'app/web/public');
const svg = readFileSync(join(folder, 'icon.svg'));

/** @param {number} side in pixels */
const drawn = (side) => sharp(svg, { density: (72 * side) / 64 }).resize(side, side);
const png = { palette: true, effort: 10 };

// Without corners of its own: the phone cuts them.
await drawn(180).flatten({ background: '#0e4d45' }).png(png).toFile(join(folder, 'apple-touch-icon.png'));

const image = await drawn(48).png(png).toBuffer();
/** The head of an ICO of one picture, which is a PNG. */
const head = Buffer.alloc(22);
head.writeUInt16LE(1, 2);
head.writeUInt16LE(1, 4);
head.writeUInt8(48, 6);
head.writeUInt8(48, 7);
head.writeUInt16LE(1, 10);
head.writeUInt16LE(32, 12);
head.writeUInt32LE(image.length, 14);
head.writeUInt32LE(head.length, 18);
writeFileSync(join(folder, 'favicon.ico'), Buffer.concat([head, image]));
