import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { picture } from './forms.ts';
import { minutesPdf } from './pdfs.ts';

/* A stand-in for the original site, written from the list of its calls: its shapes and its faults, not its program. */

type Json = unknown;

export interface OriginalSite {
  address: string;
  /** Answers of calls, by their path without the prefix. A function is asked each time. */
  calls: Map<string, Json | (() => Json)>;
  /** Files by their path. */
  files: Map<string, Uint8Array>;
  /** What was asked of it, in order. */
  asked: string[];
  /** Answers by path instead of those above: a status, or `cut` for a connection that ends half-way. */
  faults: Map<string, number | 'cut'>;
  /** Ends each request from the next one on, as a server that goes away. */
  isAway: boolean;
  close(): Promise<void>;
}

export const ORIGINAL_TOKEN = 'a-token-of-the-original-site';
const PREFIX = '/api/api';

export async function openOriginalSite(): Promise<OriginalSite> {
  const server = createServer((request, response) => answer(site, request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const site: OriginalSite = {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls: new Map([['/verifyToken', {}]]),
    files: new Map(),
    asked: [],
    faults: new Map(),
    isAway: false,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return site;
}

function answer(site: OriginalSite, request: IncomingMessage, response: ServerResponse): void {
  const path = decodeURIComponent(request.url ?? '');
  site.asked.push(path);
  if (site.isAway) return void request.socket.destroy();
  const isKnown = request.headers.authorization === `Bearer ${ORIGINAL_TOKEN}`;
  const fault = site.faults.get(path.startsWith(PREFIX) ? path.slice(PREFIX.length) : path);
  if (typeof fault === 'number') return void response.writeHead(fault).end('<h1>Erreur</h1>');
  if (path.startsWith(`${PREFIX}/`)) {
    if (!isKnown) return void response.writeHead(401).end('{}');
    const found = site.calls.get(path.slice(PREFIX.length));
    if (found === undefined) return void response.writeHead(404).end('{}');
    const text = JSON.stringify(typeof found === 'function' ? found() : found);
    response.writeHead(200, {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(text),
    });
    if (fault !== 'cut') return void response.end(text);
    response.write(text.slice(0, text.length / 2), () => request.socket.destroy());
    return;
  }
  const file = site.files.get(path);
  if (!file) return void response.writeHead(404).end();
  response.writeHead(200, { 'content-length': file.length }).end(file);
}

/** Fills a stand-in with one of everything, in the shapes that the list of calls names. */
export async function fillOriginalSite({ calls, files, address }: OriginalSite): Promise<void> {
  const [photo] = await picture('sittelle.jpg');
  const [other] = await picture('djembe.jpg');
  for (const name of ['a.jpg', 'été 2025.jpg', 'logo.png', 'portrait.jpg'])
    files.set(`/api/images_stages/${name}`, photo);
  for (const name of ['fete.jpg', 'fete-1.jpg', 'fete-2.jpg']) files.set(`/api/images/${name}`, other);
  files.set(
    '/api/doc_stage_formateur/cr-mai.pdf',
    minutesPdf('Compte rendu de mai', ['Le budget est voté.']),
  );
  files.set('/api/doc_stage_formateur/Livret des familles.pdf', minutesPdf('Livret', ['Le trousseau.']));

  const news = {
    id: 3,
    titre: 'Chèques vacances',
    description: 'Demandes\r\navant mai.',
    image_url: 'a.jpg',
  };
  const dated = { ...news, created_at: '2025-03-04T09:30:00.000Z' };
  calls.set('/actualites', [{ ...dated, description: 'Demandes…' }]);
  calls.set('/actualites/3', [dated]);
  const featured = {
    id: 7,
    titre: 'Noël',
    resume: 'La fête.',
    description: 'Le 12.',
    lien_article: 'exemple.fr/noel',
  };
  calls.set('/alaune', [featured]);
  calls.set('/alaune/7', {
    ...featured,
    ...{ image_url: '/api/images_stages/%C3%A9t%C3%A9%202025.jpg', created_at: '2024-11-20 08:00:00' },
    date_publication: '2024-12-01',
  });
  calls.set('/avantage', [
    { id: '12', titre: 'Cinéma', resume: 'Places à 5 €', image_url: null, created_at: null },
  ]);
  calls.set('/avantage/12', { description: 'Au comptoir.', lien_article: null });
  calls.set('/events', [{ id: 20, title: 'Fête d’été' }]);
  calls.set('/events/20', [
    {
      ...{
        id: 20,
        title: 'Fête d’été',
        date: '2026-07-04T18:30:00.000Z',
        location: 'Nantes',
        summary: 'Un soir',
      },
      ...{ article: 'Avec un orchestre.', image_url: 'http://localhost:5000/api/images/fete.jpg' },
      images: 'fete-1.jpg;fete-2.jpg;',
    },
  ]);
  calls.set('/logos', [
    { id: 1, nom: 'Banque', url_site: 'www.banque.example', image: `${address}/api/images_stages/logo.png` },
  ]);
  calls.set('/documents', [
    { id: 5, nom: 'CSE de mai', date_ajout: '2026-05-11T22:00:00.000Z', url: 'cr-mai.pdf' },
  ]);
  const people = [
    {
      id: 9,
      nom: 'Petit',
      prenom: 'Luc',
      email: 'luc@exemple.fr',
      poste: 'Comptable',
      role: 'Employé',
      manager_id: 10,
    },
    {
      id: 10,
      nom: 'Roy',
      prenom: 'Anne',
      email: 'anne@exemple.fr',
      poste: 'Directrice',
      role: 'responsable',
    },
    {
      id: 11,
      nom: 'Bas',
      prenom: 'Zoé',
      email: 'zoe@exemple.fr',
      poste: 'Accueil',
      role: 'Employé',
      managerId: '9',
    },
  ];
  calls.set(
    '/employes',
    people.map((one) => ({ telephone: '01 02 03 04 05', manager_id: null, ...one })),
  );
  calls.set('/employes/10', { ...people[1], photo: 'portrait.jpg' });
  calls.set('/stages', [
    {
      id: 31,
      nom_stage: 'Mer à Pornic',
      date_debut: '2026-07-05T22:00:00.000Z',
      date_fin: '2026-07-18T22:00:00.000Z',
    },
    { id: 30, nom_stage: 'Ancien', date_debut: '2019-07-01', date_fin: '2019-07-14' },
  ]);
  calls.set('/stage-passwords/31', [{ mdp_formateur: 'PORNIC-CASTOR-LANTERNE', mdp_stagiaire: '123456' }]);
  calls.set('/get-stagiaires/31', [
    { id: 101, nom: 'Martin', prenom: 'Léa', email: 'famille.martin@exemple.fr', stageId: 31 },
    { id: 102, nom: 'Durand', prenom: 'Tom', mailRL: 'durand@exemple.fr', stageId: 31 },
  ]);
  calls.set('/get-stagiaires/30', [{ id: 90, nom: 'Vieux', prenom: 'Paul', email: 'vieux@exemple.fr' }]);
  const director = { nom: 'Blanc', prenom: 'Inès', mail: 'ines@exemple.fr', telephone: '06 00 00 00 01' };
  calls.set('/formateurs', [
    { id: 50, ...director, cat: 'centre', stageId: 31, nom_stage: 'Mer à Pornic', mdp_formateur: 'x' },
    { id: 51, ...director, mail: 'INES@exemple.fr', cat: 'sejour', stageId: 30 },
  ]);
  calls.set('/formateurs/by-stage/31', [{ id: 50, ...director, cat: 'centre' }]);
  calls.set('/livrets', ['Livret des familles.pdf']);
}
