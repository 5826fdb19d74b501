import { describe, expect, it } from 'vitest';
import {
  aboutTime,
  barSentence,
  closingSentence,
  type Hindrance,
  isOver,
  LIGHT_WORTH,
  lightSide,
  nextToSend,
  Rate,
  readyTime,
  type Sending,
  sendingNews,
  sendingSentence,
  tallyOf,
  waitAfter,
  wholeSentence,
} from '#features/sending/shared/sending.ts';
import { cameraName } from '#platform/shared/camera.ts';
import { CAPTURE_TIME_WITHIN, captureIn } from '#platform/shared/capture.ts';
import { camera, corners, takenBy, xiaomi } from '#tests/support/photos.ts';

const LARGE = 4_000_000;

function photo(change: Partial<Sending> = {}): Sending {
  return {
    ...{ state: 'waiting', empreinte: 'a', taille: LARGE, has: undefined, lightSize: undefined },
    ...{ sent: 0, isKept: true, statut: undefined, retryAt: 0 },
    ...change,
  };
}
const gone = photo({ state: 'received', has: 'complete', lightSize: 400_000, statut: 'a_verifier' });
/** With plain spaces, which can be read here. */
const plain = (text: string) => text.replace(/[\u00a0\u202f]/g, ' ');
const sentence = (...photos: Sending[]) => plain(sendingSentence(tallyOf(photos)));
const news = (...photos: Sending[]) => plain(sendingNews(tallyOf(photos), undefined));

describe('what is sent next', () => {
  const whole = photo({ has: 'legere', lightSize: 400_000 });
  const undrawable = photo({ lightSize: 0 });

  it('all light versions go before any whole photo, a small photo among them, and better versions last', () => {
    const small = photo({ taille: LIGHT_WORTH, lightSize: 0 });
    expect(nextToSend([whole, undrawable, photo()], 0)).toEqual(photo());
    expect(nextToSend([undrawable, whole, small], 0)).toBe(small);
    expect(nextToSend([whole, undrawable], 0)).toBe(undrawable);
  });

  it('no whole photo goes while a file is still to be read, for its light version would come late', () => {
    expect(nextToSend([whole, photo({ empreinte: '' })], 0)).toBeUndefined();
    expect(nextToSend([whole, photo({ empreinte: '', state: 'failed' })], 0)).toBe(whole);
  });

  it('a photo that has to wait lets the others pass, and is tried again in time', () => {
    const later = photo({ retryAt: 5_000 });
    expect(nextToSend([later, whole], 4_999)).toBe(whole);
    expect(nextToSend([later, whole], 5_000)).toBe(later);
    expect(nextToSend([photo({ state: 'sending' }), photo({ state: 'failed' }), gone], 0)).toBeUndefined();
  });

  it('a light version has 1,920 pixels, and as many more as a panorama needs for its short side', () => {
    const sides = [
      [4000, 3000],
      [3000, 4000],
      [1920, 1080],
      [8000, 2700],
      [2700, 8000],
      [12_000, 1_500],
    ] as const;
    expect(sides.map(([width, height]) => lightSide(width, height))).toEqual([
      1920, 1920, 1920, 3200, 3200, 4096,
    ]);
  });

  it('waits grow, to a minute at most', () => {
    expect([0, 1, 2, 5, 6, 500].map(waitAfter)).toEqual([1_000, 2_000, 4_000, 32_000, 60_000, 60_000]);
  });
});

describe('what is said', () => {
  it('nothing is missing only when every photo is there in full and prepared', () => {
    expect(sentence()).toBe('');
    expect(sentence(gone, { ...gone, state: 'known' })).toBe('2 photos reçues, rien ne manque');
    expect(sentence(gone)).toBe('1 photo reçue, rien ne manque');
    expect(sentence(gone, { ...gone, statut: 'recue' })).toBe('2 photos reçues, le site les prépare…');
    expect(sentence(gone, { ...gone, statut: undefined })).toBe('2 photos reçues, le site les prépare…');
    expect(sentence(gone, photo({ state: 'failed' }), photo({ state: 'missing' }))).toBe(
      '1 photo reçue, 1 en échec, 1 à choisir de nouveau',
    );
    const erased = photo({ state: 'gone' });
    expect([sentence(gone, erased), sentence(erased)]).toEqual(['1 photo reçue, rien ne manque', '']);
    expect(sentence(photo({ state: 'failed' }))).toBe('Aucune photo reçue, 1 en échec');
    const reduced = photo({ state: 'reduced', has: 'legere' });
    expect(sentence(gone, reduced)).toBe('2 photos reçues, dont 1 en qualité réduite');
  });

  it('what can be checked is counted first, then what has arrived in full', () => {
    const light = photo({ has: 'legere', lightSize: 400_000 });
    const waiting = photo({ lightSize: 400_000 });
    expect(sentence(waiting)).toBe('0 sur 1 arrivées');
    expect(sentence(gone, light, waiting)).toBe('2 sur 3 arrivées');
    expect(sentence(gone, light)).toBe('2 photos arrivées');
    expect(sentence(light)).toBe('1 photo arrivée');
    const tally = tallyOf([gone, light, waiting]);
    expect(plain(wholeSentence(tally, 1_980_000))).toBe('Pleine qualité : 1 sur 3, environ 33 min');
    expect(plain(wholeSentence(tally, undefined))).toBe('Pleine qualité : 1 sur 3');
    expect(plain(readyTime(tally, 240_000))).toBe('Toutes arrivées dans environ 4 min');
    expect(plain(readyTime(tallyOf([waiting]), 5_000))).toBe('Arrivée dans moins d’une minute');
    expect(plain(barSentence(tally, undefined))).toBe('2 sur 3 arrivées · gardez cette page ouverte');
    expect(plain(barSentence(tallyOf([gone, light]), { kind: 'paused' }))).toBe(
      'Pleine qualité : 1 sur 2 · envoi en pause',
    );
  });

  it('the time until all can be checked counts first versions alone, and as much of them as is left', () => {
    const { bytesToReady, readyPart, ready, unready, donePart } = tallyOf([
      gone,
      photo({ has: 'legere', lightSize: 400_000, sent: 1_000_000, state: 'sending' }),
      photo({ lightSize: 400_000, sent: 100_000, state: 'sending' }),
      // One that this browser cannot draw is ready once all of it is there; one that failed is not waited for.
      photo({ taille: 3_000_000, lightSize: 0 }),
      photo({ state: 'failed' }),
    ]);
    expect([bytesToReady, readyPart, ready, unready]).toEqual([300_000 + 3_000_000, 2.25, 2, 2]);
    expect(donePart).toBe(1.25);
  });

  it('files that can never be taken are told apart, and nothing is missing for them', () => {
    const refused = photo({ state: 'refused' });
    const light = photo({ has: 'legere' });
    expect(sentence(gone, refused)).toBe('1 photo reçue, rien ne manque');
    expect(news(gone, refused)).toBe('1 photo reçue, rien ne manque ; 1 fichier ne peut pas être pris');
    expect(news(refused, refused)).toBe('Aucune photo reçue ; 2 fichiers ne peuvent pas être pris');
    expect(sentence(light, refused)).toBe('1 photo arrivée');
    expect(tallyOf([refused])).toMatchObject({ total: 0, left: 0, failed: 0, bytesLeft: 0, refused: 1 });
    expect(isOver(refused)).toBe(true);
  });

  it('closing the page is said to cost what it costs', () => {
    const said = (photos: Sending[], hindrance?: Hindrance) =>
      plain(closingSentence(tallyOf(photos), hindrance));
    const paused = { kind: 'paused' } as const;
    expect(said([gone, photo()])).toBe(
      'Gardez cette page ouverte : si elle se ferme, l’envoi s’arrête, et reprend quand vous la rouvrez dans les 7 jours. En navigation privée, les photos seront à choisir de nouveau.',
    );
    expect(said([photo()], paused)).toBe(
      'Les photos qui attendent sont gardées 7 jours sur cet appareil, sauf en navigation privée.',
    );
    const lost = 'Gardez cette page ouverte : si elle se ferme, 1 photo sera à choisir de nouveau.';
    const unkept = photo({ isKept: false });
    expect([said([photo(), unkept]), said([unkept], paused)]).toEqual([lost, lost]);
    expect(said([gone, { ...unkept, state: 'failed' }])).toBe('');
  });

  it('what holds it up is said while something is to go', () => {
    const tally = tallyOf([gone, photo()]);
    const held = (hindrance: Hindrance) => plain(sendingNews(tally, hindrance));
    expect(held({ kind: 'paused' })).toBe('Envoi en pause : 1 sur 2 arrivées');
    expect(held({ kind: 'offline' })).toBe('Pas de réseau : l’envoi reprendra tout seul.');
    expect(held({ kind: 'trouble', message: 'Le disque est plein.' })).toBe(
      'Le disque est plein. L’envoi reprendra tout seul.',
    );
    expect(plain(sendingNews(tallyOf([gone]), { kind: 'offline' }))).toBe('1 photo reçue, rien ne manque');
  });

  it('whoever hears it is told at each quarter', () => {
    const heard = Array.from({ length: 41 }, (_, done) => {
      const photos = Array.from({ length: 40 }, (_, index) => (index < done ? gone : photo()));
      return plain(sendingNews(tallyOf(photos), undefined));
    });
    expect(new Set(heard).size).toBe(5);
    expect(heard[39]).toBe('Envoi en cours : 75 % des photos arrivées');
    const light = photo({ has: 'legere' });
    expect(news(gone, light)).toBe('Photos arrivées, pleine qualité : 50 %');
  });

  it('bytes that need not travel are not waited for', () => {
    const { bytesLeft } = tallyOf([
      { ...gone, taille: 1_000_000 },
      { ...gone, state: 'known' },
      photo({ state: 'failed' }),
      photo({ state: 'sending', has: 'legere', lightSize: 500_000, taille: 3_000_000, sent: 1_000_000 }),
      photo({ state: 'sending', lightSize: 500_000, taille: 3_000_000, sent: 100_000 }),
    ]);
    expect(bytesLeft).toBe(2_000_000 + 400_000 + 3_000_000);
  });

  it('time left is told after some seconds of sending, from what really left', () => {
    const rate = new Rate();
    for (let at = 0; at <= 4_000; at += 1_000) rate.add(at, 100_000);
    expect(rate.timeFor(6_000_000, 4_000)).toBeUndefined();
    for (let at = 5_000; at <= 10_000; at += 1_000) rate.add(at, 100_000);
    expect(rate.timeFor(6_000_000, 10_000)).toBe(60_000);
    // A line that stands still gets no better by itself.
    expect(rate.timeFor(6_000_000, 20_000)).toBe(120_000);
    // What was known before a cut is still said after it, until the line is measured anew.
    rate.rest();
    expect(rate.timeFor(6_000_000, 80_000)).toBe(120_000);
    for (let at = 80_000; at <= 85_000; at += 1_000) rate.add(at, 100_000);
    expect(rate.timeFor(6_000_000, 85_000)).toBe(60_000);
  });

  it('times are as rough as what is known of them', () => {
    expect([5_000, 90_000, 240_000, 3_600_000, 5_400_000, 7_000_000].map(aboutTime).map(plain)).toEqual([
      'moins d’une minute',
      'environ 2 min',
      'environ 4 min',
      'environ 1 h',
      'environ 1 h 30',
      'environ 2 h',
    ]);
  });
});

describe('when a photo was taken', () => {
  const head = (file: Buffer) => new Uint8Array(file.subarray(0, CAPTURE_TIME_WITHIN));

  it('is read as its camera wrote it, in both orders of bytes', async () => {
    expect(captureIn(head(await xiaomi()))?.taken).toBe('2015-02-28T17:10:49.000Z');
    expect(captureIn(head(await camera('short-ascii-MM.jpg')))?.taken).toBe('2003-12-14T12:01:44.000Z');
    // As the site reads them in the whole file.
    const exif = { make: 'Canon', model: 'Canon EOS 90D', serial: '00482913' };
    const photo = await takenBy({ ...exif, taken: '2026-06-20T10:00:00Z' });
    const camera90d = cameraName(exif.make, exif.model, exif.serial);
    expect(captureIn(head(photo))).toEqual({ taken: '2026-06-20T10:00:00.000Z', camera: camera90d });
    expect(camera90d).toMatch(/^Canon EOS 90D #[0-9a-f]{4}$/);
  });

  it('is nothing for a photo that does not say, a cut one and another kind of file', async () => {
    const whole = head(await xiaomi());
    expect(captureIn(head(await corners(1)))).toBeUndefined();
    expect(captureIn(head(await corners(1, 'png')))).toBeUndefined();
    for (const length of [0, 1, 3, 20, 100, 200]) {
      expect(captureIn(whole.subarray(0, length))).toBeUndefined();
    }
  });
});
