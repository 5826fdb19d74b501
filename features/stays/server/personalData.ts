import { type RawBuilder, sql } from 'kysely';
import type { Access } from '#platform/server/db/open.ts';
import { holds, keysIn, type Place, withoutOthers } from '#platform/server/personalData.ts';

/** Personal data of families and directors, found and erased by e-mail address. */

/** Condition: the address of `key` is the only one of the child, so without it nobody could be contacted. */
const isOnlyAddress = (key: string) =>
  sql<boolean>`${holds('email', key)} and (email_2 = '' or ${holds('email_2', key)})`;

/** Condition: the address of `key` is one of two different addresses of the child. */
const isOneOfTwo = (key: string) =>
  sql<boolean>`(${holds('email', key)} or ${holds('email_2', key)}) and not (${isOnlyAddress(key)})`;

async function listChildren(db: Access, key: string, isHeld: RawBuilder<boolean>) {
  const rows = await db
    .selectFrom('stagiaires')
    .innerJoin('stages', 'stages.id', 'stage_id')
    .select(['stagiaires.id', 'stage_id as stageId', 'nom_stage', 'date_debut', 'date_fin', 'nom', 'prenom'])
    .select(['email', 'email_2', 'consentement_image', 'stagiaires.created_at', 'stagiaires.modifie_le'])
    .where(isHeld)
    .orderBy('stagiaires.id')
    .execute();
  return rows.map((row) => withoutOthers(row, key));
}

export const familyPlace: Place = {
  genre: 'familles',
  listKeys: async (db) => keysIn(await db.selectFrom('stagiaires').select(['email', 'email_2']).execute()),
  list: (db, key) => listChildren(db, key, isOnlyAddress(key)),
  erase: ({ transaction, key }) => transaction.deleteFrom('stagiaires').where(isOnlyAddress(key)).execute(),
  text: (count) =>
    count === 1
      ? 'Un enfant inscrit à un séjour\u202f: effacé, avec ce que sa famille a dit des photos.'
      : `${count} inscriptions d’enfants à des séjours\u202f: effacées, avec ce que la famille a dit des photos.`,
};

export const secondAddressPlace: Place = {
  genre: 'secondes_adresses',
  // `familyPlace` already lists these addresses.
  listKeys: async () => [],
  list: (db, key) => listChildren(db, key, isOneOfTwo(key)),
  erase: ({ transaction, key, now }) =>
    transaction
      .updateTable('stagiaires')
      .set({
        email: sql<string>`case when ${holds('email', key)} then email_2 else email end`,
        email_2: '',
        modifie_le: now.toISOString(),
        version: sql<number>`version + 1`,
      })
      .where(isOneOfTwo(key))
      .execute(),
  text: (count) =>
    count === 1
      ? 'Un enfant dont la famille a une autre adresse\u202f: celle-ci est retirée, l’enfant et l’autre adresse restent.'
      : `${count} inscriptions d’enfants dont la famille a une autre adresse\u202f: celle-ci est retirée, les enfants et l’autre adresse restent.`,
};

export const directorPlace: Place = {
  genre: 'directeurs',
  listKeys: async (db) => keysIn(await db.selectFrom('formateurs').select('cle_mail').execute()),
  list: async (db, key) => {
    const people = await db
      .selectFrom('formateurs')
      .select(['id', 'nom', 'prenom', 'mail', 'telephone', 'created_at', 'modifie_le'])
      .where('cle_mail', '=', key)
      .execute();
    const sejours = await db
      .selectFrom('affectations')
      .innerJoin('formateurs', 'formateurs.id', 'formateur_id')
      .innerJoin('stages', 'stages.id', 'stage_id')
      .select(['stage_id as stageId', 'nom_stage', 'date_debut', 'date_fin', 'cat'])
      .where('cle_mail', '=', key)
      .orderBy('date_debut')
      .execute();
    return people.map((person) => ({ ...person, sejours }));
  },
  erase: ({ transaction, key }) => transaction.deleteFrom('formateurs').where('cle_mail', '=', key).execute(),
  text: () => 'Un directeur\u202f: effacé, avec ses affectations à des séjours.',
};
