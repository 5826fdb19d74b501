import { randomBytes } from 'node:crypto';
import { childKey, findStay } from '#features/stays/server/staysStore.ts';
import type { Category } from '#features/stays/shared/terms.ts';
import type { Access } from '#platform/server/db/open.ts';
import type { ExampleChild } from './children.ts';
import type { ExampleStay } from './stays.ts';

/** What the stays and directors of the example bring with them, as plain rows: no form of staff holds so much. */

export async function insertChildren(
  transaction: Access,
  stageId: number,
  children: readonly ExampleChild[],
  now: Date,
): Promise<void> {
  const at = now.toISOString();
  const rows = children.map((child) => ({
    ...child,
    stage_id: stageId,
    cle: childKey(child),
    created_at: at,
    modifie_le: at,
  }));
  await transaction.insertInto('stagiaires').values(rows).execute();
}

/** The directors' review and the families' answers, where there are some; `jour` is the day of the latter. */
export async function insertReview(
  transaction: Access,
  stageId: number,
  { review = [], evaluations = [] }: ExampleStay,
  jour: string,
  now: Date,
): Promise<void> {
  const sections = review.map((section) => ({
    ...section,
    stage_id: stageId,
    modifie_le: now.toISOString(),
  }));
  if (sections.length > 0) await transaction.insertInto('bilans').values(sections).execute();
  const answers = evaluations.map(({ notes, recommande, texte }) => ({
    cle: randomBytes(16).toString('hex'),
    stage_id: stageId,
    notes: JSON.stringify(notes),
    recommande: recommande === null ? null : Number(recommande),
    texte,
    jour,
  }));
  if (answers.length > 0) await transaction.insertInto('evaluations').values(answers).execute();
}

/** Without the stays that are there no more. */
export async function assignStays(
  transaction: Access,
  formateur_id: number,
  assignments: readonly { stageId: number | undefined; cat: Category }[],
): Promise<void> {
  for (const { stageId = 0, cat } of assignments) {
    if (!(await findStay(transaction, stageId))) continue;
    await transaction.insertInto('affectations').values({ formateur_id, stage_id: stageId, cat }).execute();
  }
}
