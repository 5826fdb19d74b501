import { journal } from '#features/audit/server/journal.ts';
import type { Actor } from '#platform/server/actor.ts';
import type { Access } from '#platform/server/db/database.ts';
import { conflict } from '#platform/server/errors.ts';
import { type HandlersOf, MadeFile } from '#platform/server/http/serve.ts';
import type { Secrets } from '#platform/server/secrets.ts';
import type { Services } from '#platform/server/services.ts';
import { type Sheet, titles } from '#platform/server/sheets/sheets.ts';
import { rangeOf } from '#platform/shared/dates.ts';
import { isAdmitted } from '#platform/shared/roles.ts';
import type { familyCalls } from '../calls.ts';
import { CONSENTS, NO_ADDRESS } from '../shared/terms.ts';
import { requireFamilies } from './endedStaysStore.ts';
import {
  type ChildRow,
  childOf,
  getChildToChange,
  insertChild,
  listChildren,
  moveChild,
  removeChild,
  removeChildrenOf,
  seenByDirector,
  updateChild,
} from './familiesStore.ts';
import { getStay, getStayByKey, getStayToChange, requireOwnStay, type Stay } from './staysStore.ts';

const STALE = 'Cette fiche a été modifiée entre-temps par quelqu’un d’autre.';

export function familyHandlers(services: Services): HandlersOf<typeof familyCalls> {
  const { database, clock, sheets, secrets } = services;
  return {
    'GET /get-stagiaires/:id': async ({ params, session }) => {
      requireOwnStay(session, params.id);
      await getStay(database.db, params.id);
      const rows = await listChildren(database.db, params.id);
      return session && isAdmitted(session, ['sejours']) ? rows.map(childOf) : rows.map(seenByDirector);
    },
    'PUT /update/:id': async ({ params, body, ...actor }) => {
      const saved = await database.write(async (transaction) => {
        const now = clock();
        const row = await getChildToChange(database, transaction, params.id);
        if (body.version !== undefined && body.version !== row.version) {
          throw conflict(STALE, { actuel: childOf(row) });
        }
        const { nom, prenom, mailRL: email } = body;
        const { email_2 = row.email_2, consentement_image = row.consentement_image } = body;
        const texts = { nom, prenom, email, email_2, consentement_image };
        const after = await updateChild(transaction, row, texts, now, body.homonyme);
        await journal(transaction, actor, now, 'modification', { table: 'stagiaires', id: params.id });
        return after;
      });
      return { message: 'Stagiaire mis à jour avec succès', ...childOf(saved) };
    },
    'POST /add-stagiaire': async ({ body: { mailRL: email, homonyme, ...texts }, ...actor }) => {
      const added = await database.write(async (transaction) => {
        const now = clock();
        const row = await insertChild(database, transaction, { ...texts, email }, now, homonyme);
        await journal(transaction, actor, now, 'création', { table: 'stagiaires', id: row.id });
        return row;
      });
      return { message: 'Nouveau stagiaire ajouté avec succès', ...childOf(added) };
    },
    'GET /stages/:id/enfants': async ({ params, ...actor }) => {
      const { stay, children } = await database.write(async (transaction) => {
        const stay = await getStay(transaction, params.id);
        const about = { table: 'stages', id: params.id };
        await journal(transaction, actor, clock(), 'téléchargement de la liste des enfants', about);
        return { stay, children: await listChildren(transaction, params.id) };
      });
      const name = stay.nom_stage.replace(/[^\p{L}\p{N}]+/gu, ' ').trim();
      const body = await sheets.write([childrenSheet(stay, children)]);
      return new MadeFile(body, `Enfants - ${name}.xlsx`, children.length);
    },
    'POST /stagiaires/deplacer': async ({ body: { stageId, ...body }, ...actor }) => {
      const ids = inOrder(body.ids);
      const stay = await database.write(async (transaction) => {
        const now = clock();
        const stay = await getStayToChange(database, transaction, stageId);
        requireFamilies(stay);
        for (const id of ids) {
          const row = await getChildToChange(database, transaction, id);
          if (row.stage_id === stageId) continue;
          await moveChild(secrets, transaction, row, stageId, now);
          await journal(transaction, actor, now, 'changement de séjour', { table: 'stagiaires', id });
        }
        return stay;
      });
      const who = ids.length === 1 ? 'Un enfant inscrit' : `${ids.length} enfants inscrits`;
      return { message: `${who} désormais à «\u00a0${stay.nom_stage}\u00a0»` };
    },
    'POST /stagiaires/droit-image': async ({ body: { consentement_image, ...body }, ...actor }) => {
      const ids = inOrder(body.ids);
      const before = await database.write(async (transaction) => {
        const now = clock();
        const changed: ChildRow[] = [];
        for (const id of ids) {
          const row = await getChildToChange(database, transaction, id);
          if (row.consentement_image === consentement_image) continue;
          const { nom, prenom, email, email_2 } = row;
          await updateChild(transaction, row, { nom, prenom, email, email_2, consentement_image }, now);
          await journal(transaction, actor, now, 'droit à l’image', { table: 'stagiaires', id });
          changed.push(row);
        }
        return changed;
      });
      const avant = [...Map.groupBy(before, (row) => row.consentement_image)].map(
        ([consentement_image, rows]) => ({ ids: rows.map(({ id }) => id), consentement_image }),
      );
      const who = ids.length === 1 ? 'd’un enfant' : `de ${ids.length}\u00a0enfants`;
      return {
        message: `Droit à l’image ${who}\u202f: ${CONSENTS[consentement_image].toLowerCase()}`,
        avant,
      };
    },
    'POST /stagiaires/effacer': async ({ body, ...actor }) => {
      const ids = inOrder(body.ids);
      await database.write(async (transaction) => {
        const now = clock();
        for (const id of ids) await erase(secrets, transaction, id, actor, now);
      });
      return { message: ids.length === 1 ? 'Un enfant supprimé' : `${ids.length} enfants supprimés` };
    },
    'DELETE /stagiaire/delete/:id': async ({ params, ...actor }) => {
      await database.write((transaction) => erase(secrets, transaction, params.id, actor, clock()));
      return { message: 'Famille supprimée avec succès' };
    },
    'DELETE /deletePaxBySejour': async ({ body, ...actor }) => {
      const named = { nom_stage: body.sejour, date_debut: body.dateDebut, date_fin: body.dateFin };
      const nombre = await database.write(async (transaction) => {
        const stay = await getStayByKey(transaction, named);
        const count = await removeChildrenOf(secrets, transaction, stay.id, clock());
        const action = `effacement de tous les enfants (${count})`;
        await journal(transaction, actor, clock(), action, { table: 'stages', id: stay.id });
        return count;
      });
      return { message: 'Stagiaires supprimés avec succès', nombre };
    },
  };
}

async function erase(
  secrets: Secrets,
  transaction: Access,
  id: number,
  actor: Actor,
  now: Date,
): Promise<void> {
  await removeChild(secrets, transaction, id, now);
  await journal(transaction, actor, now, 'effacement', { table: 'stagiaires', id });
}

/** Each id once, in one order, so that two requests about the same children cannot wait for each other. */
function inOrder(ids: readonly number[]): number[] {
  return [...new Set(ids)].sort((one, other) => one - other);
}

const COLUMNS = [
  { title: 'Nom', width: 24 },
  { title: 'Prénom', width: 20 },
  { title: 'E-mail', width: 34 },
  { title: 'Second e-mail', width: 34 },
  { title: 'Droit à l’image', width: 16 },
];

function childrenSheet(
  { nom_stage, date_debut, date_fin }: Stay,
  children: Awaited<ReturnType<typeof listChildren>>,
): Sheet {
  return {
    name: 'Enfants',
    about: `${nom_stage}, ${rangeOf(date_debut, date_fin, 'fr')}`,
    widths: COLUMNS.map(({ width }) => width),
    rows: [
      titles(...COLUMNS.map(({ title }) => title)),
      ...children.map(({ nom, prenom, email, email_2, consentement_image }) => [
        nom,
        prenom,
        email || NO_ADDRESS,
        email_2,
        CONSENTS[consentement_image],
      ]),
    ],
  };
}
