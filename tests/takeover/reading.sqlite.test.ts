import { writeFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { OriginAway, openOrigin } from '#features/takeover/server/origin.ts';
import { bringIn, planTakeover } from '#features/takeover/server/takeover.ts';
import { command, homeOf, newFolder } from '#tests/support/commands.ts';
import { ORIGINAL_TOKEN } from '#tests/support/originalSite.ts';
import { freePort } from '#tests/support/ports.ts';
import { SOAK_MS } from '#tests/support/soak.ts';
import { openTakeover, problemsOf, remarksOf, type Takeover } from '#tests/support/takeover.ts';

/* The takeover of the original site: what people see of it, its faults, its token, its command. */

/** Items of one kind: enough for several rounds of everything. */
const MANY = SOAK_MS > 0 ? 10_000 : 1_000;

let { site, original, staff, takeOver, read, originOf } = {} as Takeover;
let close: Takeover['close'] | undefined;
beforeEach(async () => {
  ({ site, original, staff, takeOver, read, originOf, close } = await openTakeover());
});
afterEach(() => close?.());

describe('What was taken over', () => {
  test('lets people in as before, but not by a password that is guessed first', async () => {
    const { outcome } = await takeOver();
    const [sea] = await read('/stages');
    const signIn = (password: string) =>
      site.call('POST /auth/login', { body: { stageId: sea.id, password } }).then(({ status }) => status);
    expect(await signIn('PORNIC-CASTOR-LANTERNE')).toBe(200);
    expect(await signIn('123456')).toBe(401);
    expect(remarksOf(outcome.taken)).toContainEqual(
      expect.stringContaining('nouveau mot de passe (Famille) : l’ancien se devine'),
    );
  });

  test('shows the pictures that it showed', async () => {
    await takeOver();
    const [item] = await read('/alaune?tout=1');
    const [event] = await read('/events?tout=1');
    const shown = [
      [`/api/images_stages/${item.image_url}`, '/api/images_stages/été 2025.jpg'],
      ...event.images
        .split(';')
        .map((name: string, place: number) => [`/api/images/${name}`, `/api/images/fete-${place + 1}.jpg`]),
    ];
    expect(shown).toHaveLength(3);
    for (const [here = '', there = ''] of shown) {
      const served = await fetch(`${site.origin}${here}`);
      expect(await unlike(Buffer.from(await served.arrayBuffer()), original.files.get(there))).toBeLessThan(
        6,
      );
    }
  });

  test('is told apart from what came under another name, which might be the same site', async () => {
    await takeOver();
    const elsewhere = openOrigin(original.address.replace('127.0.0.1', 'localhost'), ORIGINAL_TOKEN, {
      waits: [],
    });
    const plan = await planTakeover(site.services, elsewhere, () => {});
    expect(plan.others).toEqual([new URL(original.address).host]);
    expect((await planTakeover(site.services, originOf(), () => {})).others).toEqual([]);
    expect(openOrigin('https://www.exemple.fr/', ORIGINAL_TOKEN).host).toBe('exemple.fr');
  });

  test('does not come back once it was deleted here', async () => {
    await takeOver();
    const [item] = await read('/actualites?tout=1');
    expect((await site.call(`DELETE /actualites/${item.id}`, { token: staff })).status).toBe(200);
    const [child] = await read(`/get-stagiaires/${(await read('/stages'))[0].id}`);
    expect((await site.call(`DELETE /stagiaire/delete/${child.id}`, { token: staff })).status).toBe(200);
    expect((await takeOver()).outcome.taken).toEqual([]);
    expect(await read('/actualites?tout=1')).toEqual([]);
  });
});

/** A server of its own on a free port. */
async function serve(listener: RequestListener) {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** How unlike two pictures are: the mean difference of their points, of 255, at the size of a stamp. */
async function unlike(one: Uint8Array, other: Uint8Array | undefined): Promise<number> {
  const small = (bytes: Uint8Array | undefined) =>
    sharp(bytes).rotate().resize(32, 32, { fit: 'fill' }).removeAlpha().raw().toBuffer();
  const [here, there] = await Promise.all([small(one), small(other)]);
  return here.reduce((sum, value, place) => sum + Math.abs(value - (there[place] ?? 0)), 0) / here.length;
}

describe('The faults of the original site', () => {
  test('are told before anything is written, and keep nothing else away', async () => {
    const { calls, faults, files } = original;
    calls.set('/actualites', [{ id: 3 }, { id: 4 }, { id: 'x' }, null, { id: 5 }, { id: 3 }]);
    faults.set('/actualites/4', 500);
    calls.set('/actualites/5', [{ id: 5, titre: 'Sans texte', description: null, image_url: 'gone.jpg' }]);
    calls.set('/logos', { id: 1, nom: 'Seul', url_site: 'javascript:alert(1)', image: ['logo.png'] });
    calls.set('/documents', [
      { id: 5, nom: 'Perdu', date_ajout: '2026-05-12', url: 'gone.pdf' },
      { id: 6, nom: 'Sans jour', date_ajout: 'bientôt', url: 'cr-mai.pdf' },
    ]);
    const boss = { nom: 'A', prenom: 'B', email: 'a@exemple.fr', poste: 'P', role: 'chef' };
    calls.set('/employes', [
      { id: 1, ...boss, manager_id: 2 },
      { id: 2, ...boss, manager_id: 1 },
      { id: 3, ...boss, manager_id: 99 },
      { id: 4, ...boss, email: 'pas une adresse' },
    ]);
    faults.set('/livrets', 500);
    calls.set('/get-stagiaires/31', [{ id: 1, nom: 'X', prenom: 'Y', email: 'non' }]);
    files.set('/api/images/fete-1.jpg', Buffer.from('not a picture'));
    const { plan, outcome } = await takeOver();
    expect(plan.left).toContainEqual('Parmi les actualités, 1 n’ont pas de numéro.');
    expect(plan.left).toContainEqual('Les livrets ne se lisent pas\u202f: l’ancien site répond 500.');
    expect(problemsOf(plan.candidates)).toEqual([
      'actualité 4 : l’ancien site répond 500',
      'compte rendu 5 « Perdu » : gone.pdf : l’ancien site ne l’a pas (404)',
      'employé 4 « B A » : E-mail : cette adresse e-mail n’est pas valable.',
      'enfant 1 du séjour 31 : mailRL : cette adresse e-mail n’est pas valable.',
    ]);
    const remarks = remarksOf(outcome.taken).join('\n');
    expect(remarks).toContain('« Sans texte » : en brouillon, sans son champ « Description »');
    expect(remarks).toContain('« Sans texte » : sans l’image gone.jpg');
    expect(remarks).toContain('« Seul » : en brouillon, sans son champ « Adresse du site »');
    expect(remarks).toContain('« Sans jour » : en brouillon, sans son champ « Date »');
    expect(remarks).toContain('« Fête d’été » : sans ses images');
    expect(remarks.match(/sans responsable hiérarchique/g)).toHaveLength(2);
    expect(outcome.left).toEqual([]);
    expect((await read('/actualites?tout=1')).map(({ titre }: { titre: string }) => titre).sort()).toEqual([
      'Chèques vacances',
      'Sans texte',
    ]);
    expect((await site.call('GET /actualites')).json).toHaveLength(1);
    expect((await read('/employes')).length).toBe(3);

    // Of a stay that has come, children that cannot be read are told as well.
    faults.set('/get-stagiaires/31', 500);
    expect((await takeOver()).plan.left).toContainEqual(
      'Les enfants du séjour 31 ne se lisent pas\u202f: l’ancien site répond 500.',
    );

    // What failed there for a while comes by the next run.
    faults.clear();
    calls.set('/actualites/4', [{ id: 4, titre: 'Revenue', description: 'Texte.' }]);
    const next = await takeOver();
    expect(next.outcome.taken.map(({ genre, numero }) => `${genre}/${numero}`)).toEqual([
      'actualites/4',
      'livrets/Livret des familles.pdf',
    ]);
  });

  test('of a line that is cut are passed by another try', async () => {
    let tries = 0;
    original.calls.set('/actualites', () => {
      tries++;
      original.faults.delete('/actualites');
      return [{ id: 3 }];
    });
    original.faults.set('/actualites', 'cut');
    expect((await takeOver()).outcome.left).toEqual([]);
    expect([tries, (await read('/actualites?tout=1')).length]).toEqual([2, 1]);
  });

  test('of a server that goes away half-way stop it; the next run takes the rest, nothing twice', async () => {
    const origin = originOf();
    const plan = await planTakeover(site.services, origin, () => {});
    const half = Math.floor(plan.coming.length / 2);
    const tell = (done: number) => {
      original.isAway = done >= half;
    };
    await expect(bringIn(site.services, origin, plan, { keepsNumbers: false, tell })).rejects.toThrow(
      OriginAway,
    );
    original.isAway = false;
    const { outcome } = await takeOver();
    expect(outcome.left).toEqual([]);
    expect(outcome.taken.length).toBeLessThan(plan.coming.length);
    expect((await takeOver()).plan.coming).toEqual([]);
    const counts = await Promise.all(['/employes', '/stages', '/formateurs', '/livrets'].map(read));
    expect(counts.map(({ length }) => length)).toEqual([3, 2, 1, 1]);
  });

  test('do not stop it: thousands of items come', async () => {
    const items = Array.from({ length: MANY }, (_, index) => ({
      id: index + 1,
      titre: `Titre ${index + 1}`,
    }));
    original.calls.set('/actualites', items);
    for (const { id, titre } of items)
      original.calls.set(`/actualites/${id}`, [{ id, titre, description: 'Texte.' }]);
    const { outcome } = await takeOver(true);
    expect(outcome.left).toEqual([]);
    const last = await read('/actualites?tout=1&limite=1');
    expect(last).toMatchObject([{ id: MANY, titre: `Titre ${MANY}` }]);
  });
});

describe('A site that never ends to answer', () => {
  const told = /^n’a pas fini de répondre en 1\u00a0min\u202f: relancez la même commande/;

  test('is given up, though parts of its answer come all along', async () => {
    const dripping = await serve((_request, response) => {
      const timer = setInterval(() => response.write(' '), 5);
      response.on('close', () => clearInterval(timer));
    });
    const origin = openOrigin(dripping.address, ORIGINAL_TOKEN, { deadline: 200 });
    await expect(origin.ask('/actualites')).rejects.toThrow(told);
    await expect(origin.file('/a.jpg', 1_000_000)).rejects.toThrow(told);
    dripping.close();
  });

  test('is given up, though it may be asked again', async () => {
    let asked = 0;
    const failing = await serve((_request, response) => {
      asked++;
      response.writeHead(503).end();
    });
    const times = { waits: [10, 1_000_000], deadline: 200 };
    await expect(openOrigin(failing.address, ORIGINAL_TOKEN, times).ask('/actualites')).rejects.toThrow(told);
    expect(asked).toBe(2);
    failing.close();
  });
});

describe('Its token and its families', () => {
  test('go nowhere else: the token stays with the site, and families of stays that are over are not read', async () => {
    const seen: (string | undefined)[] = [];
    const other = createServer((request, response) => {
      seen.push(request.headers.authorization);
      response.end('[]');
    });
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const { port } = other.address() as AddressInfo;
    const through = createServer((request, response) => {
      if (request.url?.endsWith('/actualites'))
        return void response
          .writeHead(302, { location: `http://127.0.0.1:${port}/api/api/actualites` })
          .end();
      void fetch(`${original.address}${request.url}`, {
        headers: { authorization: `${request.headers.authorization}` },
      }).then(async (answer) =>
        response.writeHead(answer.status).end(Buffer.from(await answer.arrayBuffer())),
      );
    });
    await new Promise<void>((resolve) => through.listen(0, '127.0.0.1', resolve));
    try {
      const address = `http://127.0.0.1:${(through.address() as AddressInfo).port}`;
      const plan = await planTakeover(
        site.services,
        openOrigin(address, ORIGINAL_TOKEN, { waits: [] }),
        () => {},
      );
      expect(seen).toEqual([]);
      expect(plan.left.join()).toContain(`renvoie vers http://127.0.0.1:${port}`);
      expect(original.asked.filter((path) => /(get-stagiaires|passwords)\/30$/.test(path))).toEqual([]);
    } finally {
      through.closeAllConnections();
      other.close();
      through.close();
    }
  });

  test('go to no other scheme, host or port, by a redirect or an address, for a call or a file', async () => {
    const seen: (string | undefined)[] = [];
    const [other, away] = [
      await serve(({ headers }) => void seen.push(headers.authorization)),
      await serve(({ url }, response) => {
        const [, where = ''] = (url ?? '').split('/to/');
        response.writeHead(302, { location: decodeURIComponent(where) }).end();
      }),
    ];
    try {
      const origin = openOrigin(away.address, ORIGINAL_TOKEN, { waits: [] });
      const secure = away.address.replace('http:', 'https:');
      const local = away.address.replace('127.0.0.1', 'localhost');
      for (const place of [secure, local, other.address]) {
        const told = `renvoie vers ${place}\u202f: si c’est bien lui, donnez cette adresse à la commande`;
        const path = `/to/${encodeURIComponent(`${place}/x`)}`;
        await expect(origin.file(path, 1_000)).rejects.toThrow(told);
        await expect(origin.requireFile(path, 1_000)).rejects.toThrow(told);
        await expect(origin.ask(path)).rejects.toThrow(told);
        await expect(origin.file(`${place}/x`, 1_000)).rejects.toThrow(told);
      }
      expect(seen).toEqual([]);
    } finally {
      other.close();
      away.close();
    }
  });

  test('are refused with a wrong token, in one sentence', async () => {
    await expect(planTakeover(site.services, originOf('wrong'), () => {})).rejects.toThrow('refuse ce jeton');
  });
});

describe('The command', () => {
  const tokenFile = (token: string) => {
    const path = join(newFolder(), 'token');
    writeFileSync(path, `${token}\n`);
    return path;
  };

  test('shows what would come, and brings it in only after a yes', async () => {
    const { env } = homeOf(site);
    const words = [original.address, '--token-file', tokenFile(ORIGINAL_TOKEN)];
    const shown = await command('reprise', words, env);
    expect([shown.code, shown.err.trim().split('\n').at(-1)]).toEqual([
      1,
      expect.stringContaining('Rien n’est repris.'),
    ]);
    expect(shown.out).toMatch(/ {2}employés +3 à reprendre/);
    expect(shown.out).toContain('ni les droits à l’image');
    expect(shown.out).not.toContain('Martin');
    expect(await read('/employes')).toEqual([]);

    const done = await command('reprise', [...words, '--oui'], env);
    expect([done.code, done.err]).toEqual([0, '']);
    expect(done.out).toContain('3 employés');
    expect((await read('/employes')).length).toBe(3);
    expect((await command('reprise', [...words, '--oui'], env)).out).toContain('Rien à reprendre.');
  });

  test('says what is wrong with its words, its token and the other site', async () => {
    const { env } = homeOf(site);
    const said = async (...words: string[]) => {
      const { code, out, err } = await command('reprise', words, env);
      expect([code, out]).toEqual([1, '']);
      return err;
    };
    const token = tokenFile(ORIGINAL_TOKEN);
    for (const words of [[], [original.address], ['ftp://x', '--token-file', token], ['--token-file', token]])
      expect(await said(...words)).toMatch(/^Usage :/);
    expect(await said(original.address, '--token-file', join(newFolder(), 'none'))).toContain(
      'ne se lit pas',
    );
    expect(await said(original.address, '--token-file', tokenFile('two words'))).toContain(
      'ne contient pas un jeton',
    );
    expect(await said(original.address, '--token-file', tokenFile('wrong'))).toContain('refuse ce jeton');
    const nobody = `http://127.0.0.1:${await freePort()}`;
    expect(await said(nobody, '--token-file', token)).toMatch(
      / ne répond pas\. Rien n’est repris cette fois/,
    );
  });
});
