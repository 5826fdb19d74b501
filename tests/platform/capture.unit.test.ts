import sharp, { type Exif } from 'sharp';
import { expect, test } from 'vitest';
import { captureIn, dateIn } from '#platform/shared/capture.ts';

const jpeg = (exif: Exif, xmp?: string) => {
  const picture = sharp({ create: { width: 8, height: 8, channels: 3, background: '#000' } }).withExif(exif);
  return (xmp ? picture.withXmp(xmp) : picture).jpeg().toBuffer();
};
const taken = async (exif: Exif, xmp?: string) => captureIn(await jpeg(exif, xmp))?.taken;

const xmp = (fields: string) =>
  `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description ${fields}/></rdf:RDF></x:xmpmeta>`;

test('A photo was taken when it says so first: taken, digitized, changed, then by its XMP', async () => {
  const [first, second, third] = ['2026:07:12 10:00:01', '2026:07:12 10:00:02', '2026:07:12 10:00:03'];
  const said = xmp('photoshop:DateCreated="2026-07-12T10:00:04" xmp:CreateDate="2026-07-12T10:00:05"');
  const whole = { IFD0: { DateTime: third }, IFD2: { DateTimeOriginal: first, DateTimeDigitized: second } };
  expect(await taken(whole, said)).toBe('2026-07-12T10:00:01.000Z');
  expect(await taken({ ...whole, IFD2: { DateTimeDigitized: second } }, said)).toBe(
    '2026-07-12T10:00:02.000Z',
  );
  expect(await taken({ IFD0: { DateTime: third } }, said)).toBe('2026-07-12T10:00:03.000Z');
  expect(await taken({ IFD0: { Make: 'Essai' } }, said)).toBe('2026-07-12T10:00:04.000Z');
  expect(await taken({ IFD0: { Make: 'Essai' } })).toBeUndefined();
  // A camera that was never set counts for nothing.
  const unset = {
    IFD2: { DateTimeOriginal: '0000:00:00 00:00:00', DateTimeDigitized: second },
  };
  expect(await taken(unset)).toBe('2026-07-12T10:00:02.000Z');
});

test('A date is read as cameras write it, with its fraction, on the clock of the camera', async () => {
  for (const [text, moment] of [
    ['2026-07-12 10:11:12', '2026-07-12T10:11:12.000Z'],
    ['2026-07-12T10:11:12', '2026-07-12T10:11:12.000Z'],
    ['2026/07/12 10:11:12', '2026-07-12T10:11:12.000Z'],
    ['2026:07:12 10:11:12+02:00', '2026-07-12T10:11:12.000Z'],
    ['2026-07-12T10:11:12.345Z', '2026-07-12T10:11:12.345Z'],
    ['2026:07:12', '2026-07-12T12:00:00.000Z'],
  ] as const)
    expect(await taken({ IFD2: { DateTimeOriginal: text } }), text).toBe(moment);
  for (const [fraction, ms] of [
    ['5', '500'],
    ['07', '070'],
    ['123', '123'],
    ['123456', '123'],
    ['000', '000'],
  ] as const) {
    const exif = {
      DateTimeOriginal: '2026:07:12 10:11:12',
      SubSecTimeOriginal: fraction,
      OffsetTimeOriginal: '+02:00',
    };
    expect(await taken({ IFD2: exif }), fraction).toBe(`2026-07-12T10:11:12.${ms}Z`);
  }
});

test('EXIF is found by what begins it, whatever stands before', async () => {
  const { exif } = await sharp(
    await jpeg({ IFD0: { Make: 'Essai', Model: 'Un' }, IFD2: { DateTimeOriginal: '2026:07:12 10:11:12' } }),
  ).metadata();
  const tiff = (exif as Buffer).subarray(6);
  const found = { taken: '2026-07-12T10:11:12.000Z', camera: 'Essai Un' };
  for (const before of [
    '',
    'Exif\0\0',
    '\0\0\0\x06Exif\0\0',
    '\0\0\0\0',
    '\xff\xe1\x10\0Exif\0\0',
    'MPF\0II*\0\x08\0\0\0\0\0',
  ]) {
    const bytes = Buffer.concat([Buffer.from(before, 'latin1'), tiff]);
    expect(captureIn(bytes), JSON.stringify(before)).toEqual(found);
  }
  for (let length = 0; length < tiff.length; length++) captureIn(tiff.subarray(0, length));
});

test('The name of a file says when, as phones and programs write it', () => {
  for (const [name, date] of [
    ['IMG-20260712-WA0003.jpg', '2026-07-12'],
    ['20260712_143012.jpg', '2026-07-12T14:30:12.000Z'],
    ['20260712_143012(0).jpg', '2026-07-12T14:30:12.000Z'],
    ['IMG_20260712_143012_BURST001.jpg', '2026-07-12T14:30:12.000Z'],
    ['PXL_20260712_143012345.jpg', '2026-07-12T14:30:12.000Z'],
    ['20260712143012.jpg', '2026-07-12T14:30:12.000Z'],
    ['Screenshot_20260712-143012.png', '2026-07-12T14:30:12.000Z'],
    ['Screenshot 2026-07-12 at 14.30.12.png', '2026-07-12T14:30:12.000Z'],
    ['Capture d’écran 2026-07-12 à 14.30.12.png', '2026-07-12T14:30:12.000Z'],
    ['WhatsApp Image 2026-07-12 at 14.30.12.jpeg', '2026-07-12T14:30:12.000Z'],
    ['signal-2026-07-12-14-30-12-123.jpg', '2026-07-12T14:30:12.000Z'],
    ['photo_2026-07-12_14-30-12.jpg', '2026-07-12T14:30:12.000Z'],
    ['IMG_1.jpg', undefined],
    ['IMG_20261345_101010.jpg', undefined],
    ['DSC02026071.jpg', undefined],
    ['1783864212345.jpg', undefined],
    ['', undefined],
  ] as const)
    expect(dateIn(name), name).toBe(date);
});
