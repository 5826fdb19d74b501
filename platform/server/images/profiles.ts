import type { Coding } from './heif.ts';

/*
 * Colour profiles (ICC) of pictures that say otherwise how their numbers become colours: whatever shows or converts a picture
 * knows profiles, and not these. High dynamic range is brought down as browsers do on an ordinary screen.
 */

/** Light of a number from 0 to 1, from 0 to 1. */
type Curve = (value: number) => number;

const power =
  (gamma: number): Curve =>
  (value) =>
    value ** gamma;
const srgb: Curve = (value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4);

/** Light of paper white, and the most that is told apart from it, in candelas a square metre. */
const [WHITE, BRIGHTEST] = [203, 1_000];
/** Brings light down to that of a screen, as Chromium does: half of it up to paper white, and what is brighter ever less. */
const toned = (light: number) => {
  const most = BRIGHTEST / WHITE;
  return Math.min(light / 2, (light * (1 + light / most ** 2)) / (1 + light), 1);
};
/** BT.2100: perceptual quantization, whose 1 is 10,000 candelas. */
const pq: Curve = (value) => {
  const root = value ** (32 / 2_523);
  const light = Math.max(0, root - 3_424 / 4_096) / (2_413 / 128 - (2_392 / 128) * root);
  return toned((10_000 / WHITE) * light ** (16_384 / 2_610));
};
/** BT.2100: hybrid log-gamma, on a screen of 1,000 candelas. */
const hlg: Curve = (value) => {
  const scene =
    value <= 0.5 ? value ** 2 / 3 : (Math.exp((value - 0.559_910_73) / 0.178_832_77) + 0.284_668_92) / 12;
  return toned((BRIGHTEST / WHITE) * scene ** 1.2);
};

/** Red, green and blue of sRGB, of BT.2020 and of Display P3, seen under the light of profiles (D50). */
const SRGB = [0.4361, 0.2225, 0.0139, 0.3851, 0.7169, 0.0971, 0.1431, 0.0606, 0.7141];
const PRIMARIES: Partial<Record<number, number[]>> = {
  9: [0.6735, 0.279, -0.0019, 0.1657, 0.6753, 0.03, 0.1251, 0.0456, 0.7972],
  12: [0.5151, 0.2412, -0.0011, 0.292, 0.6922, 0.0419, 0.1572, 0.0666, 0.7844],
};
const CURVES: Partial<Record<number, Curve>> = { 4: power(2.2), 5: power(2.8), 8: power(1), 16: pq, 18: hlg };

/** Whether numbers mean more light than that of a screen, and take more than 8 bits. */
export const isHighRange = (coding: Coding | undefined) => coding?.transfer === 16 || coding?.transfer === 18;

/** The profile of a coding; undefined for that of the web, which needs none. */
export function profileOf({ primaries, transfer }: Coding): Buffer | undefined {
  const [colours, curve] = [PRIMARIES[primaries], CURVES[transfer]];
  return colours || curve ? profile(colours ?? SRGB, curve ?? srgb) : undefined;
}

/** Of a PNG, its profile by what it says of its colours without one; undefined when it says nothing else than usual. */
export function profileOfPng(bytes: Buffer): Buffer | undefined {
  let gamma: number | undefined;
  for (let at = 8; at + 12 <= bytes.length; at += 12 + bytes.readUInt32BE(at)) {
    const type = bytes.toString('latin1', at + 4, at + 8);
    if (type === 'cICP')
      return profileOf({ primaries: bytes[at + 8] ?? 0, transfer: bytes[at + 9] ?? 0, isFullRange: true });
    if (type === 'iCCP' || type === 'sRGB') return undefined;
    if (type === 'gAMA') gamma = 100_000 / bytes.readUInt32BE(at + 8);
    if (type === 'IDAT') break;
  }
  // 2.2 is that of sRGB, as programs write it.
  return gamma === undefined || Math.abs(gamma - 2.2) < 0.05 ? undefined : profile(SRGB, power(gamma));
}

/** Points of a curve: as many as a profile takes to tell numbers of 10 bits apart. */
const POINTS = 4_096;

/** An ICC profile, version 2, of a screen: `colours` are X, Y and Z of red, green and blue. */
function profile(colours: readonly number[], light: Curve): Buffer {
  const fixed = (value: number) => Math.round(value * 65_536);
  const xyz = (at: number) => {
    const tag = Buffer.from('XYZ \0\0\0\0............', 'latin1');
    for (const index of [0, 1, 2]) tag.writeInt32BE(fixed(colours[at + index] ?? 0), 8 + 4 * index);
    return tag;
  };
  const curve = Buffer.alloc(12 + 2 * POINTS);
  curve.write('curv');
  curve.writeUInt32BE(POINTS, 8);
  for (let at = 0; at < POINTS; at++)
    curve.writeUInt16BE(Math.round(65_535 * light(at / (POINTS - 1))), 12 + 2 * at);
  const parts = [xyz(0), xyz(3), xyz(6), curve];
  const tags = ['rXYZ', 'gXYZ', 'bXYZ', 'rTRC', 'gTRC', 'bTRC'];
  const table = Buffer.alloc(4 + 12 * tags.length);
  table.writeUInt32BE(tags.length);
  const begin = 128 + table.length;
  for (const [index, tag] of tags.entries()) {
    const part = Math.min(index, 3);
    table.write(tag, 4 + 12 * index);
    table.writeUInt32BE(begin + 20 * part, 8 + 12 * index);
    table.writeUInt32BE(parts[part]?.length ?? 0, 12 + 12 * index);
  }
  const head = Buffer.alloc(128);
  head.writeUInt32BE(begin + 60 + curve.length);
  head.write('\x02\x40\0\0mntrRGB XYZ ', 8, 'latin1');
  head.write('acsp', 36);
  for (const [index, value] of [0.9642, 1, 0.8249].entries())
    head.writeUInt32BE(fixed(value), 68 + 4 * index);
  return Buffer.concat([head, table, ...parts]);
}
