import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { form, picture } from '#tests/support/forms.ts';
import { minutesPdf } from '#tests/support/pdfs.ts';
import type { TestSite } from '#tests/support/people.ts';
import { ADMIN, openSite } from '#tests/support/site.ts';

/*
 * The one list of the texts of public pages that are fixed letter for letter, and of where each stands. Typography may
 * differ: the shape of an apostrophe, the blank before a colon, three dots in one sign.
 */

const MINUTES_PASSWORD = 'tournesol-lanterne-26';

let site: TestSite;
let token: string;
beforeAll(async () => {
  site = await openSite({
    pages: true,
    env: {
      ORGANISATION_NAME: 'CSE Horizon',
      ORGANISATION_ADDRESS: '1 rue des Lilas\n38000 Grenoble',
      ORGANISATION_PHONE: '04 76 00 00 00',
      ORGANISATION_EMAIL: 'contact@horizon.example',
      ORGANISATION_SIREN: '732 829 320',
      ORGANISATION_RNA: 'W381234567',
      PUBLICATION_DIRECTOR: 'Claire Fontaine',
      JOB_OFFERS_URL: 'https://emploi.example/offres',
      MEETING_REPORTS_PASSWORD: MINUTES_PASSWORD,
    },
  });
  token = await site.tokenOf('admin');
  const article = { lien_article: 'https://example.org/article' };
  const texts = { resume: 'En bref', description: 'En long' };
  await add('/actualites', { titre: 'Neige', description: 'Il neige', image: await picture() });
  await add('/alaune', { titre: 'Été', ...texts, ...article });
  await add('/alaune', { titre: 'Sans date', ...texts });
  await add('/avantage', { titre: 'Piscine', ...texts, ...article });
  await add('/avantage', { titre: 'Sans date', ...texts });
  await add('/logos', { nom: 'Vélombelle', url_site: 'https://example.org/velo', image: await picture() });
  const event = { title: 'Fête', location: 'Parc', summary: 'Venez', article: 'Tous' };
  await add('/events', { ...event, date: '2026-07-14T18:30', images: await picture() });
  await add('/events', { ...event, title: 'Sans date', date: '2026-07-14T18:30' });
  const pdf = minutesPdf('Réunion', ['Tout a été dit.']);
  await add('/documents', {
    nom: 'Réunion',
    date_ajout: '2026-06-12',
    url: [pdf, 'cr.pdf', 'application/pdf'],
  });
  await add('/create-employes', {
    ...{ nom: 'Petit', prenom: 'Jeanne', email: 'jeanne@exemple.fr', telephone: '0102030405', poste: 'Élue' },
    ...{ role: 'Responsable', email_public: '1', telephone_public: '1', photo_publique: '1' },
  });
  await site.services.database.write(async (db) => {
    await db.updateTable('alaune').set({ created_at: '' }).where('titre', '=', 'Sans date').execute();
    await db.updateTable('avantage').set({ created_at: '' }).where('titre', '=', 'Sans date').execute();
    await db.updateTable('events').set({ date: '' }).where('title', '=', 'Sans date').execute();
  });
});
afterAll(() => site?.close());

async function add(path: string, fields: Parameters<typeof form>[0]): Promise<void> {
  const answer = await site.call(`POST ${path}`, { token, body: form(fields) });
  expect(answer.status, `${path} ${answer.text}`).toBe(201);
}

/** Without what typography changes. */
function plain(text: string): string {
  return text
    .replace(/&#x27;|’/g, "'")
    .replace(/&quot;/g, '"')
    .replace(/&amp;/g, '&')
    .replaceAll('…', '...')
    .replace(/\s+/g, ' ')
    .replace(/ ([:;?!])/g, '$1');
}

const textOf = (html: string) => plain(html.replace(/<[^>]*>/g, ' '));

/** Parts of a page. */
const PLACES = {
  title: /<title>.*?<\/title>/s,
  bar: /<header class="site-bar.*?<\/header>/s,
  main: /<main.*?<\/main>/s,
  footer: /<footer class="border-t.*?<\/footer>/s,
};

/** A text that people read, or a pattern of the markup. */
type Fixed = string | RegExp;
type Row = [address: string, place: keyof typeof PLACES, fixed: Fixed[]];

const LITERALS: Row[] = [
  // The frame of every page
  [
    '/',
    'bar',
    [
      'Accueil',
      'A propos du CSE',
      'Les membres',
      'Nos événements',
      'Informations utiles',
      'Compte rendus',
      /<a href="https:\/\/emploi\.example\/offres" target="_blank"[^>]*>Offre d'emplois/,
      'Avantages du CSE',
      /href="\/portail"[^>]*>.*Administrateur/,
      'Portail Administrateur',
    ],
  ],
  [
    '/',
    'footer',
    [
      /<img src="\/icon\.svg"[^>]* title="Portail du comité social et économique/,
      /<a [^>]*href="\/mentions-legales"/,
      'Mentions légales',
      /<a [^>]*href="\/politique-confidentialite"/,
      'Politique de confidentialité',
      /<img [^>]*src="\/api\/[^"]*compteur\.svg\?page=site&style=\w+&nbdigits=5&type=page&initCount=0"/,
    ],
  ],
  // Home
  [
    '/',
    'main',
    [
      "L'Actualité",
      'Neige',
      'Il neige',
      'Partenaires',
      /<a href="https:\/\/example\.org\/velo"[^>]*><img[^>]* alt="Vélombelle"/,
      'À la Une',
      'Été',
      'Publié le 20 juin 2026',
      'En bref',
      /<a [^>]*href="\/une-details\/1"[^>]*>En savoir plus</,
      'En savoir plus',
    ],
  ],
  // Not found
  [
    '/nulle-part',
    'main',
    [
      'Page non trouvée',
      "La page que vous recherchez n'existe pas. Voici un lien pour vous rediriger:",
      /<a [^>]*href="\/"[^>]*>Retour Accueil</,
    ],
  ],
  // Benefits
  [
    '/avantages',
    'main',
    [
      'Vos avantages CSE',
      'Retrouvez ici tous vos avantages CSE',
      'Publié le 20 juin 2026',
      'Piscine',
      'En bref',
      /<a [^>]*href="\/avantage-detail\/1"[^>]*>En savoir plus</,
      /<a href="\/avantage-detail\/1" target="_blank"/,
    ],
  ],
  [
    '/avantage-detail/1',
    'main',
    [
      'Piscine',
      '20 juin 2026 à 11 h',
      'En bref',
      'Détails',
      'En long',
      /href="https:\/\/example\.org\/article"/,
    ],
  ],
  ['/avantage-detail/2', 'main', ['Date non disponible']],
  // Events
  ['/Evenements', 'main', ['Nos événements', 'mardi 14 juillet 2026 à 18 h 30', 'Fête', 'Venez', 'Parc']],
  ['/Evenements', 'main', [/<a [^>]*href="\/event-detail\/1"/]],
  [
    '/event-detail/1',
    'main',
    [
      'Fête',
      'mardi 14 juillet 2026 à 18 h 30',
      'Venez',
      'Détails',
      'Tous',
      /<ul class="grid grid-cols-2[^>]*><li><a /,
    ],
  ],
  ['/event-detail/2', 'main', ['Date non disponible']],
  // À la Une
  [
    '/une-details/1',
    'main',
    [
      /<p class="uppercase"><time[^>]*>20 juin 2026</,
      'Été',
      'En bref',
      'En long',
      /<a [^>]*href="https:\/\/example\.org\/article"[^>]*>En savoir plus</,
    ],
  ],
  ['/une-details/2', 'main', [/<p class="uppercase">.*Date non disponible/]],
  // Org chart, missions
  ['/membres', 'main', ['Notre équipe', 'Jeanne Petit', 'Élue', 'jeanne@exemple.fr', '0102030405']],
  ['/a-propos', 'main', [/<h1[^>]*>Nos Missions</]],
  ['/a-propos', 'title', ['Nos Missions']],
  // Legal texts
  [
    '/mentions-legales',
    'main',
    [
      'CSE Horizon',
      '1 rue des Lilas 38000 Grenoble',
      '04 76 00 00 00',
      'contact@horizon.example',
      '732 829 320',
      'W381234567',
      'Claire Fontaine',
    ],
  ],
  [
    '/politique-photos',
    'main',
    ['Vérifiées avant', 'temps limité', 'effacées automatiquement', 'Vos droits', 'Avec votre accord'],
  ],
  [
    '/politique-confidentialite',
    'main',
    [
      'Dernière mise à jour: 08/04/2024',
      'Article 1 – Les parties',
      'Article 2 – Définitions',
      "Article 3 – Champ d'application",
      'Article 4 – Données personnelles',
      'Article 5 – Cookies et traceurs',
      'Article 6 – Propriété intellectuelle',
      'Article 7 – Dispositions finales',
      'Article 8 – Litiges',
      'Article 9 – Cookies',
      '16 ans',
      'représentant légal',
      '13 mois',
      'droit français',
      "droit de l'Union européenne",
      'arbitrage',
      '1 rue des Lilas 38000 Grenoble',
      /<a [^>]*href="\/contact"[^>]*>formulaire de contact</,
    ],
  ],
  // Behind a password
  ['/compte-rendus', 'main', [/<h1[^>]*>Compte rendus</, 'Mot de passe']],
  ['/compte-rendus', 'title', ['Compte rendus']],
  ['/connexion-portail', 'main', ['Identifiant', 'Mot de passe', /<input[^>]* name="username"/]],
  [
    '/connexion',
    'main',
    [
      /<input[^>]* name="stageId"/,
      /<input[^>]* name="password"/,
      'Afficher le mot de passe',
      /<a [^>]*href="\/politique-photos"/,
    ],
  ],
];

test('each fixed text stands where it has to, before any script has run', async () => {
  const lost: string[] = [];
  for (const [address, place, fixed] of LITERALS) {
    const { text: html } = await site.ask(`GET ${address}`);
    const [part = ''] = PLACES[place].exec(html) ?? [];
    const [words, markup] = [textOf(part), plain(part)];
    for (const one of fixed) {
      if (typeof one === 'string' ? !words.includes(one) : !one.test(markup))
        lost.push(`${address} ${place}: ${one}`);
    }
  }
  expect(lost).toEqual([]);
});

/** Texts that only a browser comes to show. */
const IN_SCRIPTS: [address: string, fixed: string[]][] = [
  ['/', ['Déconnexion', 'Chargement...']],
  ['/', ['récupération des actualités:', 'récupération des éléments À la Une:', 'récupération des logos:']],
  ['/compte-rendus', ['Voir le PDF', 'Erreur de connexion', 'Erreur de connexion au serveur.']],
  ['/connexion', ['Erreur de connexion', 'Erreur de connexion au serveur.']],
  ['/connexion-portail', ['Erreur de connexion', 'Erreur de connexion au serveur.']],
];

test('what only a browser shows stands in the scripts of its page', async () => {
  const lost: string[] = [];
  for (const [address, fixed] of IN_SCRIPTS) {
    const { text: html } = await site.ask(`GET ${address}`);
    const scripts = await scriptsOf(html);
    for (const one of fixed) if (!scripts.includes(one)) lost.push(`${address}: ${one}`);
  }
  expect(lost).toEqual([]);
});

/** The scripts that a page names and those that they import at once. */
async function scriptsOf(html: string): Promise<string> {
  const folder = join(import.meta.dirname, '../../dist/client');
  const names = new Set([...html.matchAll(/\/(assets\/[\w.-]+\.js)/g)].map(([, name = '']) => name));
  let all = '';
  for (const name of names) {
    const script = await readFile(join(folder, name), 'utf8');
    all += script;
    for (const [, other = ''] of script.matchAll(/from\s?["'`]\.\/([\w.-]+\.js)/g))
      names.add(`assets/${other}`);
  }
  return plain(all);
}

describe('What the server answers to visitors', () => {
  const says = async (call: string, body: unknown) => (await site.call(call, { body })).json.message;

  test('is fixed for sign-ins', async () => {
    const redirected = 'Connexion réussie. Redirection...';
    expect(await says('POST /loginAdmin', ADMIN)).toBe(redirected);
    expect(await says('POST /documents/acces', { password: 'autre' })).toBe('Mot de passe incorrect');
    const stay = { nom_stage: 'Mer', date_debut: '2026-07-06', date_fin: '2026-07-20' };
    const { id } = (await site.call('POST /stages', { token, body: stay })).json;
    const [codes] = (await site.call(`GET /stage-passwords/${id}`, { token })).json;
    for (const password of [codes.mdp_stagiaire, codes.mdp_formateur])
      expect(await says('POST /auth/login', { stageId: String(id), password })).toBe(redirected);
  });

  test('leaves a page that waits for its data saying so', async () => {
    const { database, cache } = site.services;
    for (const [address, table] of [
      ['/avantages', 'avantage'],
      ['/avantage-detail/1', 'avantage'],
      ['/membres', 'employes'],
    ] as const) {
      await database.write((db) => db.schema.alterTable(table).renameTo('ailleurs').execute());
      cache.drop(table);
      const { text } = await site.ask(`GET ${address}`);
      await database.write((db) => db.schema.alterTable('ailleurs').renameTo(table).execute());
      expect(textOf(text), address).toContain('Chargement...');
    }
  });
});
