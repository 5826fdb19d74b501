import { journal } from '#features/audit/server/journal.ts';
import { listChildren } from '#features/stays/server/familiesStore.ts';
import { enterStay } from '#features/stays/server/signIn.ts';
import {
  findStayToChange,
  getStay,
  getStayToChange,
  type Stay,
  writeAccess,
} from '#features/stays/server/staysStore.ts';
import type { Access } from '#platform/server/db/database.ts';
import { notFound, unauthorized } from '#platform/server/errors.ts';
import type { HandlersOf } from '#platform/server/http/serve.ts';
import { insertMailing } from '#platform/server/mail/outboxStore.ts';
import type { Services } from '#platform/server/services.ts';
import { ENDINGS, endSessions } from '#platform/server/sessionsStore.ts';
import type { PasswordType } from '#platform/shared/roles.ts';
import type { linkCalls } from '../calls.ts';
import { CODES_SUBJECT } from '../shared/terms.ts';
import { requireKnown } from './knownAddressesStore.ts';
import { findLink, findLinkOf, listLinks, markLink, paperChild, renewLink } from './linksStore.ts';
import { listRecipients } from './recipientsStore.ts';

const UNKNOWN =
  'Ce lien n’ouvre plus rien\u202f: demandez-en un nouveau par «\u00a0Mot de passe perdu\u202f?\u00a0», ou connectez-vous avec le mot de passe du séjour.';

const nameOf = ({ prenom, nom }: { prenom: string; nom: string }) => `${prenom} ${nom}`;

const accessOf = ({ mdp_commun, soir }: Stay) => ({
  mot_de_passe_commun: mdp_commun === 1,
  message_soir: soir === 1,
});

const on = (isOn: boolean) => (isOn ? 'oui' : 'non');

/** Handlers of the links by which families and directors open their stay, and of what staff do with them. */
export function linkHandlers(services: Services): HandlersOf<typeof linkCalls> {
  const { database, secrets, clock, jobs } = services;

  /** The link of an address of a stay, whose row is locked with the stay. */
  async function held(transaction: Access, id: number, type: PasswordType, adresse: string) {
    await getStayToChange(database, transaction, id);
    const link = await findLinkOf(transaction, type, { stageId: id, key: adresse });
    if (!link) throw notFound('Cette adresse n’est plus inscrite à ce séjour.');
    return link;
  }

  return {
    'POST /auth/lien': async ({ body: { jeton }, ...context }) => {
      const link = await findLink(database.db, jeton);
      if (!link) throw unauthorized(UNKNOWN);
      const find = async (transaction: Access) => {
        const stay = await findStayToChange(database, transaction, link.stage_id);
        // Read again under the lock: it may have been cut or renewed meanwhile.
        const now = await findLink(transaction, jeton);
        if (!stay || !now) throw unauthorized(UNKNOWN);
        if (now.coupe_le !== null) throw unauthorized(ENDINGS.fermee);
        if (now.ouvert_le === null)
          await markLink(transaction, now.lien, { ouvert_le: clock().toISOString() });
        return stay;
      };
      return enterStay(services, context, link.type, find, link.lien);
    },
    'GET /stages/:id/liens': async ({ params: { id }, query: { type } }) => {
      await getStay(database.db, id);
      const links = await listLinks(database.db, type, id, clock());
      const names = new Map((await listChildren(database.db, id)).map((child) => [child.id, nameOf(child)]));
      return links.map(({ lien, appareils, ...link }) => ({
        ...link,
        enfant: names.get(paperChild(link.adresse) ?? 0) ?? null,
        envoye: lien !== null,
        appareils: Number(appareils),
      }));
    },
    'GET /stages/:id/acces': async ({ params: { id } }) => accessOf(await getStay(database.db, id)),
    'PUT /stages/:id/acces': async ({ params: { id }, body, ...context }) => {
      const allowed = await database.write(async (transaction) => {
        const before = accessOf(await getStayToChange(database, transaction, id));
        const after = { ...before, ...body };
        const isClosed = before.mot_de_passe_commun && !after.mot_de_passe_commun;
        await writeAccess(transaction, id, {
          mdp_commun: Number(after.mot_de_passe_commun),
          soir: Number(after.message_soir),
        });
        if (isClosed)
          await endSessions(transaction, { stageId: id, role: 'family', link: null }, { why: 'par_lien' });
        const action = `accès des familles\u202f: mot de passe commun ${on(after.mot_de_passe_commun)}, message du soir ${on(after.message_soir)}`;
        await journal(transaction, context, clock(), action, { table: 'stages', id });
        return after;
      });
      return { message: 'Accès des familles enregistré', ...allowed };
    },
    'POST /stages/:id/liens/couper': async ({ params: { id }, body: { type, adresse }, ...context }) => {
      await database.write(async (transaction) => {
        const { lien } = await held(transaction, id, type, adresse);
        if (lien === null) throw notFound('Aucun lien n’est parti à cette adresse.');
        await markLink(transaction, lien, { coupe_le: clock().toISOString() });
        await endSessions(transaction, { stageId: id, link: lien }, { why: 'fermee' });
        await journal(transaction, context, clock(), 'accès d’une adresse coupé', { table: 'stages', id });
      });
      return { message: 'Accès coupé\u202f: ce lien n’ouvre plus rien.' };
    },
    'POST /stages/:id/liens/nouveau': async ({ params: { id }, body: { type, adresse }, ...context }) => {
      await database.write(async (transaction) => {
        const { lien } = await held(transaction, id, type, adresse);
        const recipients = await listRecipients(transaction, type, [id]);
        const recipient = recipients.find(({ key }) => key === adresse);
        if (!recipient) throw notFound('Cette adresse n’est plus inscrite à ce séjour.');
        const now = clock();
        await requireKnown(transaction, type, [recipient], context.session, now);
        if (lien !== null) await endSessions(transaction, { stageId: id, link: lien }, { why: 'fermee' });
        await renewLink(transaction, secrets, type, recipient, now);
        const mailing = {
          genre: 'codes',
          type,
          texts: { objet: CODES_SUBJECT, texte: '' },
          actor: context,
          messages: [{ address: recipient.address, stageId: id }],
        } as const;
        await insertMailing(transaction, secrets, mailing, now);
        await journal(transaction, context, now, 'nouveau lien d’une adresse', { table: 'stages', id });
      });
      jobs.wake();
      return { message: 'Nouveau lien envoyé\u202f: le précédent n’ouvre plus rien.' };
    },
  };
}
