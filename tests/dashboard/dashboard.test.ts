import { join } from 'node:path';
import { type RawBuilder, sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { ensureFirstAdmin } from '#features/accounts/server/admins.ts';
import { listUnsent } from '#features/dashboard/server/store.ts';
import { passwordVersion } from '#features/mails/server/compose.ts';
import { IDENTITY } from '#features/site/calls.ts';
import { getStay } from '#features/stays/server/staysStore.ts';
import manifest from '#package.json' with { type: 'json' };
import { SITE } from '#platform/server/actor.ts';
import { insertMailing, type NewMailing } from '#platform/server/mail/outboxStore.ts';
import { create } from '#tests/support/contents.ts';
import { mountDisk } from '#tests/support/disk.ts';
import { form } from '#tests/support/forms.ts';
import type { TestSite } from '#tests/support/people.ts';
import { openSite, type SiteOptions } from '#tests/support/site.ts';

const PARTS = [
  'Base de données',
  'Disque',
  'E-mails',
  'Travaux du site',
  'Sauvegardes',
  'Fichiers',
  'Connexions',
];
const MB = 1024 * 1024;
const HOUR = 3_600_000;

/** Runs a test on a site of its own. */
async function onSite(work: (site: TestSite, token: string) => Promise<void>, options?: SiteOptions) {
  const site = await openSite(options);
  try {
    await work(site, await site.tokenOf('admin'));
  } finally {
    await site.close();
  }
}

const dashboard = async (site: TestSite, token: string) =>
  (await site.call('GET /tableau-de-bord', { token })).json;
const alerts = async (site: TestSite, token: string): Promise<string[]> => {
  const { alertes } = await dashboard(site, token);
  for (const one of alertes) expect(one.panneau).toBeNull();
  return alertes.map(({ texte }: { texte: string }) => texte);
};

test('the first page and the search are for admins', async () => {
  await onSite(async (site) => {
    for (const path of ['/tableau-de-bord', '/recherche?q=a']) {
      expect((await site.call(`GET ${path}`)).status).toBe(401);
      for (const role of ['reader', 'family', 'director'] as const)
        expect((await site.call(`GET ${path}`, { token: await site.tokenOf(role) })).status).toBe(403);
    }
  });
});

describe('the dashboard', () => {
  test('of a new site names all that is missing of its identity, and no content', async () => {
    await onSite(async (site, token) => {
      expect(await dashboard(site, token)).toEqual({
        identite_manquante: Object.keys(IDENTITY),
        demarrage: {
          mot_de_passe_affiche: false,
          administrateurs: false,
          second_facteur: false,
          actualite: false,
          evenement: false,
          employes: false,
          // Chosen by the environment.
          comptes_rendus: true,
          sejours: false,
          directeurs: false,
          mail_parti: false,
          codes_envoyes: false,
          visiteurs_choisis: false,
        },
        alertes: expect.any(Array),
        horloge: null,
        sante: {
          version: manifest.version,
          depuis: '2026-06-20T09:00:00.000Z',
          parties: PARTS.map((nom) => ({
            nom,
            // No backup yet, and no mail server.
            etat: ['Sauvegardes', 'E-mails'].includes(nom) ? 'surveiller' : 'bon',
            fait: expect.stringMatching(/\.$/),
            conseil: ['Sauvegardes', 'E-mails'].includes(nom) ? expect.stringMatching(/\.$/) : '',
          })),
        },
      });
    });
  });

  test('of a site whose first password was printed asks for another one, until it is changed', async () => {
    await onSite(async (site) => {
      const { services } = site;
      await services.database.write(async (transaction) => {
        await transaction.deleteFrom('sessions').execute();
        await transaction.deleteFrom('admins').execute();
      });
      const config = { ...services.config, ADMIN_USERNAME: 'Léa', ADMIN_PASSWORD: undefined };
      const { password = '' } = (await ensureFirstAdmin({ ...services, config })) ?? {};
      const signIn = { body: { username: 'Léa', password } };
      const token = (await site.call('POST /loginAdmin', signIn)).json.tokenAdmin;
      const isPrinted = async () => (await dashboard(site, token)).demarrage.mot_de_passe_affiche;
      expect(await isPrinted()).toBe(true);
      const body = { ancien: password, nouveau: 'hirondelle-carafe-17' };
      expect((await site.call('POST /admins/moi/mot-de-passe', { token, body })).status).toBe(200);
      expect(await isPrinted()).toBe(false);
    });
  });

  test('follows the identity as it is set, wherever from', async () => {
    const env = { ORGANISATION_NAME: 'CSE Horizon', HOSTING_NAME: 'Hébergeur' };
    await onSite(
      async (site, token) => {
        const missing = async () => (await dashboard(site, token)).identite_manquante;
        const names = Object.keys(IDENTITY);
        const without = (...set: string[]) => names.filter((name) => !set.includes(name));
        expect(await missing()).toEqual(without('organisation_nom', 'hebergeur_nom'));
        const body = { organisation_siren: '732 829 320', hebergeur_nom: '' };
        expect((await site.call('PUT /reglages', { token, body })).status).toBe(200);
        expect(await missing()).toEqual(without('organisation_nom', 'organisation_siren'));
      },
      { env },
    );
  });

  test('knows what a new site has once it has it, but for drafts and what is in the bin', async () => {
    await onSite(async (site, token) => {
      const beginning = async () => (await dashboard(site, token)).demarrage;
      for (const [genre, step] of [
        ['actualites', 'actualite'],
        ['events', 'evenement'],
      ] as const) {
        await create(site, token, genre, 'Brouillon', { brouillon: '1' });
        const { id } = await create(site, token, genre, 'Supprimé');
        expect((await site.call(`DELETE /${genre}/${id}`, { token })).status).toBe(200);
        expect((await beginning())[step]).toBe(false);
        await create(site, token, genre, 'Demain', { publie_du: '2026-06-21T09:00:00Z' });
        expect((await beginning())[step]).toBe(true);
      }
      const person = { nom: 'Petit', prenom: 'Anne', poste: 'Trésorière', email: 'anne@exemple.fr' };
      expect((await site.call('POST /create-employes', { token, body: form(person) })).status).toBe(201);
      const stay = { nom_stage: 'Mer', date_debut: '2026-07-01', date_fin: '2026-07-10' };
      expect((await site.call('POST /stages', { token, body: stay })).status).toBe(201);
      await site.call('POST /admins', { token, body: { username: 'Basile', password: 'navet-lanterne-47' } });
      expect(await beginning()).toMatchObject({
        employes: true,
        sejours: true,
        administrateurs: true,
        directeurs: false,
        second_facteur: false,
      });
    });
  });
});

describe('alerts', () => {
  const PROXY = expect.stringMatching(
    /^Des visites semblent passer par un relais .* doit lui dire combien de relais il y a\.$/,
  );
  const visit = (site: TestSite, headers: Record<string, string>) => site.call('GET /events', { headers });
  const proxyAlerts = async (site: TestSite, token: string) =>
    (await alerts(site, token)).filter((text) => text.includes('relais'));

  test('a proxy of which the site was not told is noticed once it shows', async () => {
    const proxied: Record<string, string>[] = [
      { 'x-forwarded-for': '203.0.113.7' },
      { forwarded: 'for=203.0.113.7' },
    ];
    for (const headers of proxied) {
      await onSite(async (site, token) => {
        expect(await proxyAlerts(site, token)).toEqual([]);
        await visit(site, headers);
        expect(await proxyAlerts(site, token)).toEqual([PROXY]);
        await visit(site, {});
        expect(await proxyAlerts(site, token)).toEqual([PROXY]);
      });
    }
  });

  test('nothing is said once TRUST_PROXY is set, be it to none', async () => {
    for (const TRUST_PROXY of ['1', '0', 'loopback']) {
      await onSite(
        async (site, token) => {
          await visit(site, { 'x-forwarded-for': '203.0.113.7' });
          expect(await proxyAlerts(site, token), TRUST_PROXY).toEqual([]);
        },
        { env: { TRUST_PROXY } },
      );
    }
  });

  test('jobs that failed too often are counted, those still tried are not', async () => {
    await onSite(async (site) => {
      const { database } = site.services;
      // The hours pass, and a token with them.
      const jobAlerts = async () =>
        (await alerts(site, await site.tokenOf('admin'))).filter((text) => text.includes('abandonnée'));
      // A job of a version that is no more: nothing here knows how to do it. Due in an hour, so that only turns try it.
      const due = () => new Date(site.now().getTime() + HOUR).toISOString();
      const add = () =>
        database.write((db) =>
          sql`insert into jobs (nom, charge, essais, a_faire_le, created_at)
            values ('inconnu', '{}', 0, ${due()}, ${site.now().toISOString()})`.execute(db),
        );
      const tryOnce = async () => {
        site.advance(HOUR);
        await site.jobs.idle();
      };
      await add();
      for (let turn = 1; turn <= 7; turn++) await tryOnce();
      expect(await jobAlerts()).toEqual([]);
      await tryOnce();
      const one =
        'Une tâche de fond a été abandonnée après plusieurs échecs\u202f: le journal technique du serveur dit pourquoi.';
      expect(await jobAlerts()).toEqual([one]);
      await add();
      for (let turn = 1; turn <= 8; turn++) await tryOnce();
      expect(await jobAlerts()).toEqual([
        '2 tâches de fond ont été abandonnées après plusieurs échecs\u202f: le journal technique du serveur dit pourquoi.',
      ]);
      // Taken for a last try: not given up while it runs, given up when its worker died.
      const until = new Date(site.now().getTime() + HOUR).toISOString();
      await database.write((db) => sql`update jobs set pris_jusqua = ${until}`.execute(db));
      expect(await jobAlerts()).toEqual([]);
      site.advance(HOUR + 1);
      expect(await jobAlerts()).toHaveLength(1);
    });
  });

  test('a disk with less than a tenth free is told, with what is left', async ({ skip }) => {
    const disk = mountDisk(60);
    if (!disk) return skip('a disk of its own needs the right to mount one');
    try {
      await onSite(
        async (site, token) => {
          const said = async () => (await alerts(site, token)).filter((text) => text.includes('disque'));
          expect(await said()).toEqual([]);
          // The database has taken its room by then.
          await site.schedule.tick();
          disk.fill(8 * MB);
          expect(await said()).toEqual([]);
          disk.fill(4 * MB);
          expect(await said()).toEqual([
            'Le disque du site est presque plein\u202f: il en reste 6\u202f%. Prévenez la personne qui héberge le site.',
          ]);
          disk.empty();
          expect(await said()).toEqual([]);
        },
        { env: { DATA_DIR: join(disk.directory, 'data') } },
      );
    } finally {
      disk.remove();
    }
  });
});

describe('alerts about mails', () => {
  const CODES = { objet: 'Vos codes', texte: '' };
  const add = (site: TestSite, mailing: Partial<NewMailing> & Pick<NewMailing, 'messages'>) =>
    site.services.database.write((transaction) =>
      insertMailing(
        transaction,
        site.services.secrets,
        { genre: 'codes', type: 'stagiaire', texts: CODES, actor: SITE, ...mailing },
        site.now(),
      ),
    );
  /** What the sender writes of the messages of a mailing that it is done with. */
  const end = (
    site: TestSite,
    envoi: number,
    etat: 'envoye' | 'echec',
    mdp_empreinte: string | null = null,
  ) =>
    site.services.database.write((transaction) =>
      transaction
        .updateTable('envois_messages')
        .set({ etat, mdp_empreinte, termine_le: site.now().toISOString() })
        .where('envoi_id', '=', envoi)
        .execute(),
    );
  const told = async (site: TestSite, panneau: string): Promise<string[]> => {
    const { alertes } = await dashboard(site, await site.tokenOf('admin'));
    return alertes
      .filter((one: { panneau: string | null }) => one.panneau === panneau)
      .map(({ texte }: { texte: string }) => texte);
  };
  const [lea, tom] = [{ address: 'lea@exemple.fr' }, { address: 'tom@exemple.fr' }];

  test('those that wait for a server that nobody has set', async () => {
    await onSite(async (site) => {
      expect(await told(site, 'envois')).toEqual([]);
      await add(site, { messages: [lea] });
      const rest =
        'car le site n’a pas de serveur d’envoi. La personne qui héberge le site doit en régler un.';
      expect(await told(site, 'envois')).toEqual([`Un e-mail attend, ${rest}`]);
      await add(site, { messages: [lea, tom] });
      expect(await told(site, 'envois')).toEqual([`3 e-mails attendent, ${rest}`]);
    });
  });

  test('failures, until the same codes were sent to the same address again, or a week has passed', async () => {
    await onSite(async (site, token) => {
      const dates = { date_debut: '2026-08-01', date_fin: '2026-08-08' };
      const { id: stageId } = (
        await site.call('POST /stages', { token, body: { nom_stage: 'Voile', ...dates } })
      ).json;
      const [ofLea, ofTom] = [
        { ...lea, stageId },
        { ...tom, stageId },
      ];
      const child = { nom: 'Petit', email_2: '', stageId };
      const children = [
        { ...child, prenom: 'Léa', mailRL: 'Lea@exemple.fr' },
        { ...child, prenom: 'Tom', mailRL: 'tom@exemple.fr' },
      ];
      const [, second] = await Promise.all(
        children.map(async (body) => (await site.call('POST /add-stagiaire', { token, body })).json),
      );
      await end(site, await add(site, { messages: [ofLea, ofTom] }), 'echec');
      const two = '2 e-mails n’ont pas pu être remis ces sept derniers jours.';
      expect(await told(site, 'envois')).toEqual([two]);
      await end(site, await add(site, { genre: 'libre', type: undefined, messages: [lea] }), 'envoye');
      await end(site, await add(site, { type: 'formateur', messages: [ofLea] }), 'envoye');
      expect(await told(site, 'envois')).toEqual([two]);
      await end(site, await add(site, { messages: [ofLea] }), 'envoye');
      const one = 'Un e-mail n’a pas pu être remis ces sept derniers jours.';
      expect(await told(site, 'envois')).toEqual([one]);
      // A later free mail says something else.
      for (const etat of ['echec', 'envoye'] as const)
        await end(site, await add(site, { genre: 'libre', type: undefined, messages: [lea] }), etat);
      expect(await told(site, 'envois')).toEqual([two]);
      // The address was wrong, and is corrected.
      const corrected = { nom: 'Petit', prenom: 'Tom', mailRL: 'tom.petit@exemple.fr' };
      await site.call(`PUT /update/${second.id}`, { token, body: corrected });
      expect(await told(site, 'envois')).toEqual([one]);
      site.advance(7 * 24 * HOUR + 1);
      expect(await told(site, 'envois')).toEqual([]);
    });
  });

  test('a mail server that has taken nothing for an hour', async () => {
    await onSite(
      async (site) => {
        const now = site.now().toISOString();
        await site.services.database.write((transaction) =>
          transaction
            .insertInto('envois_voies')
            .values({ nom: 'relais', libre_le: now, reculs: 3, erreur: 'injoignable', depuis: now })
            .execute(),
        );
        expect(await told(site, 'envois')).toEqual([]);
        site.advance(HOUR);
        expect(await told(site, 'envois')).toEqual([
          'Aucun e-mail ne part depuis plus d’une heure\u202f: le serveur d’envoi ne répond pas.',
        ]);
      },
      { env: { SMTP_URL: 'smtp://127.0.0.1:9', MAIL_FROM: 'site@exemple.fr' } },
    );
  });

  test('a relay of this machine while nobody has said where the site is', async () => {
    const env = { SMTP_URL: 'smtp://127.0.0.1:9', MAIL_FROM: 'site@exemple.fr' };
    const texts = async (site: TestSite) =>
      (await dashboard(site, await site.tokenOf('admin'))).alertes.map(
        ({ texte }: { texte: string }) => texte,
      );
    await onSite(
      async (site) => {
        expect(await texts(site)).toEqual([
          expect.stringMatching(
            /^Les messages et les étiquettes mènent à http:\/\/localhost:\d+, .* doit régler l’adresse que les gens tapent\.$/,
          ),
        ]);
      },
      { env },
    );
    await onSite(async (site) => expect(await texts(site)).toEqual([]), {
      env: { ...env, PUBLIC_URL: 'https://cse.exemple' },
    });
  });

  test('stays that begin soon and whose families were not sent their codes', async () => {
    await onSite(async (site, token) => {
      const stay = async (nom_stage: string, date_debut: string) => {
        const body = { nom_stage, date_debut, date_fin: '2026-07-20' };
        const { id } = (await site.call('POST /stages', { token, body })).json;
        const child = { nom: 'Martin', prenom: 'Léa', mailRL: lea.address, stageId: id };
        await site.call('POST /add-stagiaire', { token, body: { ...child, consentement_image: 'oui' } });
        return id as number;
      };
      await stay('Plus tard', '2026-07-04');
      const voile = await stay('Voile', '2026-07-03');
      const soon = 'Un séjour est en cours ou commence dans moins de 14 jours';
      const missing = [`${soon} sans que les codes soient partis vers les familles\u202f: Voile.`];
      expect(await told(site, 'codes-envoyer')).toEqual(missing);
      const to = { messages: [{ ...lea, stageId: voile }] };
      await add(site, { ...to, type: 'formateur' });
      await add(site, { ...to, genre: 'essai' });
      const failed = await add(site, to);
      expect(await told(site, 'codes-envoyer')).toEqual([]);
      await end(site, failed, 'echec');
      expect(await told(site, 'codes-envoyer')).toEqual(missing);
      const markOf = async () => {
        const { database, secrets } = site.services;
        return passwordVersion(secrets, await getStay(database.db, voile), 'stagiaire');
      };
      await end(site, await add(site, to), 'envoye', await markOf());
      expect(await told(site, 'codes-envoyer')).toEqual([]);
      const renew = (type: string) =>
        site.call(`POST /stage-passwords/${voile}/regenerer`, { token, body: { type } });
      await renew('formateur');
      expect(await told(site, 'codes-envoyer')).toEqual([]);
      // Those that were sent open nothing any longer.
      await renew('stagiaire');
      expect(await told(site, 'codes-envoyer')).toEqual(missing);
      await end(site, await add(site, to), 'envoye', await markOf());
      expect(await told(site, 'codes-envoyer')).toEqual([]);
    });
  });
});

test('more stays than a query may have parameters do not keep the dashboard from opening', async () => {
  await onSite(async (site, token) => {
    const { database } = site.services;
    const at = site.now().toISOString();
    await database.write(async (db) => {
      const run = (query: RawBuilder<unknown>) => query.execute(db);
      await run(sql`
        with recursive n(i) as (select 1 union all select i + 1 from n where i < 33000)
        insert into stages (nom_stage, cle, date_debut, date_fin, mdp_formateur, mdp_stagiaire, created_at, modifie_le)
        select 'Mer ' || i, 'mer ' || i, ${'2026-06-20'}, ${'2026-07-20'}, 'x', 'x', cast(${at} as text), cast(${at} as text) from n`);
      await run(sql`
        insert into photos (stage_id, empreinte, statut, version, jour, prise_le, numero, created_at, modifie_le)
        select id, 'e', 'a_verifier', 'complete', '2026-06-21', '2026-06-21', 1, created_at, created_at from stages`);
      await run(sql`
        insert into photos_retraits (photo_id, session_id, mot, created_at)
        select id, 1, '', created_at from photos`);
    });
    const { alertes } = await dashboard(site, token);
    expect(alertes.map(({ texte }: { texte: string }) => texte)).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^33000 photos à vérifier\u202f: /),
        expect.stringMatching(/^33000 demandes de retrait attendent /),
      ]),
    );
    const soon = { today: '2026-07-01', until: '2026-07-15' };
    await database.write(async (db) => {
      await sql`
        insert into stagiaires (stage_id, nom, prenom, cle, email, created_at, modifie_le)
        select id, 'Martin', 'Léa', 'martin|lea', 'lea@exemple.fr', created_at, created_at from stages`.execute(
        db,
      );
    });
    expect(await listUnsent(database, soon, () => '')).toHaveLength(33_000);
  });
});
