import { describe, expect, test } from 'vitest';
import {
  codesMessage,
  contactMessage,
  eveningMessage,
  freeMessage,
  newsText,
} from '#features/mails/server/messages.ts';
import type { MessageBody } from '#platform/server/mail/transport.ts';

const HOSTILE = `<script>alert(1)</script><img src="https://ailleurs.exemple/x.png"> & "' </td>`;
const STAY = { id: 12, nom_stage: 'Étoile', date_debut: '2026-07-01', date_fin: '2026-07-20' };
const SIGNATURE = { organisation: 'CSE Horizon', telephone: '01 99 00 00 01' };
const CODES = {
  stay: STAY,
  type: 'stagiaire' as const,
  password: 'K7QF-2MXA-9TRD',
  texte: '',
  link: undefined,
  publicUrl: 'https://cse.exemple',
  photosUntil: '18 septembre 2026',
  signature: SIGNATURE,
};

/** Everything that somebody typed, hostile at once. */
const HOSTILE_LETTERS: [string, MessageBody][] = [
  [
    'codes',
    codesMessage({
      ...CODES,
      stay: { ...STAY, nom_stage: HOSTILE },
      password: HOSTILE,
      texte: HOSTILE,
      signature: { organisation: HOSTILE, telephone: HOSTILE },
    }),
  ],
  [
    'a free mail',
    freeMessage(
      { objet: HOSTILE, texte: `${HOSTILE}\n\n${HOSTILE}` },
      { organisation: HOSTILE, telephone: HOSTILE },
    ),
  ],
  [
    'an evening mail',
    eveningMessage({
      stays: [
        {
          stay: { ...STAY, nom_stage: HOSTILE },
          news: { photos: 1, full: 0, words: 0, ofToday: true },
          link: 'https://cse.exemple/connexion?stageId=12',
        },
      ],
      stop: 'https://cse.exemple/connexion?stageId=12',
      signature: { organisation: HOSTILE, telephone: HOSTILE },
    }),
  ],
  ['a contact message', contactMessage({ nom: HOSTILE, email: 'a@exemple.org', message: HOSTILE })],
];

describe('A message', () => {
  test.each(HOSTILE_LETTERS)('shows what was typed in %s, and obeys none of it', (_name, { html, text }) => {
    expect(html).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
    expect(html).not.toMatch(/<(script|img|link|iframe|style)\b/i);
    // The only address that anything opens is the site's.
    for (const [, address] of html.matchAll(/\b(?:src|href|url|background)\s*[=(]\s*["']?([^"')\s>]+)/gi))
      if (!address?.startsWith('&')) expect(address).toBe('https://cse.exemple/connexion?stageId=12');
    expect(text).toContain(HOSTILE);
  });

  test.each([
    [{ photos: 14, full: 0, words: 1, ofToday: true }, '14 photos d’aujourd’hui et un mot de l’équipe'],
    [{ photos: 1, full: 0, words: 0, ofToday: true }, 'Une photo d’aujourd’hui'],
    [{ photos: 1200, full: 0, words: 0, ofToday: false }, '1\u202f200 nouvelles photos'],
    [{ photos: 0, full: 0, words: 2, ofToday: true }, '2 mots de l’équipe'],
    [
      { photos: 2, full: 1, words: 1, ofToday: false },
      '2 nouvelles photos, la pleine qualité d’une photo et un mot de l’équipe',
    ],
  ])('of the evening says in its subject what is new: %o', (news, said) => {
    expect(newsText(news, true)).toBe(said);
  });

  test('of codes can be read as plain text alone', () => {
    const { text } = codesMessage({
      ...CODES,
      texte: 'Le départ approche.\nPensez au maillot.\n\nÀ bientôt !\n',
    });
    expect(text).toBe(`Bonjour,

Le départ approche.
Pensez au maillot.

À bientôt !

Voici le numéro et le mot de passe pour voir les photos du séjour «\u00a0Étoile\u00a0», du\u00a01er au\u00a020 juillet 2026.

Numéro du séjour\u202f: 12
Mot de passe\u202f: K7QF-2MXA-9TRD

Pour vous connecter\u202f:
https://cse.exemple/connexion?stageId=12

Toutes les familles du séjour ont ce mot de passe\u202f: ne le donnez à personne d’autre. Ne republiez pas les photos d’autres enfants.

Les photos restent en ligne jusqu’au 18 septembre 2026, puis elles sont effacées.

CSE Horizon
01 99 00 00 01

Vous recevez ce message car votre adresse est inscrite à ce séjour. S’il ne vous est pas destiné, supprimez-le, s’il vous plaît.
`);
  });

  test('of codes has the link of its address first, where there is one', () => {
    const { text, html } = codesMessage({ ...CODES, link: 'https://cse.exemple/acces#abc' });
    expect(text).toContain(`Ouvrir les photos\u202f:
https://cse.exemple/acces#abc

Ce lien est fait pour vous seul\u202f: ne le transférez pas. Sur papier, ou sans lui\u202f:

Numéro du séjour\u202f: 12`);
    expect(html.indexOf('/acces#abc')).toBeLessThan(html.indexOf('K7QF-2MXA-9TRD'));
  });

  test('keeps typed line breaks and paragraphs, and is signed even when nobody has said by whom', () => {
    const unsigned = { organisation: '', telephone: '' };
    const { html, text } = freeMessage({ objet: 'Un', texte: 'Un\ndeux\n\n\n  trois' }, unsigned);
    expect(text).toBe('Un\ndeux\n\n\n  trois\n\nLe comité social et économique\n');
    const written = [...html.matchAll(/<p [^>]*>(.*?)<\/p>/g)].map(([, content]) => content);
    expect(written).toEqual(['Un<br>deux', '  trois', 'Le comité social et économique']);
    expect(codesMessage({ ...CODES, signature: unsigned }).text).toMatch(
      /\n\nLe comité social et économique\n\n.+ inscrite à ce séjour\. S’il .+\n$/,
    );
  });
});
