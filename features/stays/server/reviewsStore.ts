import { randomBytes } from 'node:crypto';
import { type Access, countRows, hasChanged } from '#platform/server/db/database.ts';
import type { Tables } from '#platform/server/db/tables.ts';
import { type EvaluationQuestion, REVIEW_SECTIONS, type ReviewSection } from '../shared/terms.ts';

/** Directors' reviews of a stay (one row per section) and families' evaluations (one row per answer). */

type Section = Pick<Tables['bilans'], 'code' | 'note' | 'commentaire'>;

/** A review with the time of the last change, of each section and overall; null where nothing was written. */
export interface Review {
  sections: (Section & { code: ReviewSection; modifie_le: string | null })[];
  modifie_le: string | null;
}

/** A family's answers; questions without a mark are left out. */
export interface Evaluation {
  jour: string;
  notes: Partial<Record<EvaluationQuestion, number>>;
  recommande: number | null;
  texte: string;
}

const CODES = Object.keys(REVIEW_SECTIONS) as ReviewSection[];

/** Reads the review of a stay: every section in the order of the form, blank where nothing was written. */
export async function readReview(db: Access, stageId: number): Promise<Review> {
  const rows = await db.selectFrom('bilans').selectAll().where('stage_id', '=', stageId).execute();
  const sections = CODES.map((code) => {
    const { note = null, commentaire = '', modifie_le = null } = rows.find((row) => row.code === code) ?? {};
    return { code, note, commentaire, modifie_le };
  });
  const written = rows.map(({ modifie_le }) => modifie_le).sort();
  return { sections, modifie_le: written.at(-1) ?? null };
}

/** Overwrites the given sections; the others stay unchanged. */
export async function writeReview(
  transaction: Access,
  stageId: number,
  sections: readonly Section[],
  now: Date,
): Promise<void> {
  const modifie_le = now.toISOString();
  // One by one: when a section is given twice, the last one counts.
  for (const { code, note, commentaire } of sections) {
    await transaction
      .insertInto('bilans')
      .values({ stage_id: stageId, code, note, commentaire, modifie_le })
      .onConflict((target) =>
        target.columns(['stage_id', 'code']).doUpdateSet({ note, commentaire, modifie_le }),
      )
      .execute();
  }
}

export async function hasAnswered(db: Access, sessionId: number): Promise<boolean> {
  const session = await db
    .selectFrom('sessions')
    .select('evaluation_faite')
    .where('id', '=', sessionId)
    .executeTakeFirst();
  return session?.evaluation_faite === 1;
}

/** Records that this session has answered, but not what; false when it had already answered, or has ended. */
export async function markAnswered(transaction: Access, sessionId: number): Promise<boolean> {
  return hasChanged(
    transaction
      .updateTable('sessions')
      .set({ evaluation_faite: 1 })
      .where('id', '=', sessionId)
      .where('evaluation_faite', '=', 0),
  );
}

/** Stores an answer under a random key: a sequential id, compared with a log, could reveal who answered. */
export async function insertEvaluation(
  transaction: Access,
  evaluation: Omit<Tables['evaluations'], 'cle'>,
): Promise<void> {
  const cle = randomBytes(16).toString('hex');
  await transaction
    .insertInto('evaluations')
    .values({ cle, ...evaluation })
    .execute();
}

export async function countEvaluations(db: Access, stageId: number): Promise<number> {
  return countRows(db.selectFrom('evaluations').where('stage_id', '=', stageId));
}

/** The answers of a stay by day; within a day, in the order of their random keys, which hides who came first. */
export async function listEvaluations(db: Access, stageId: number): Promise<Evaluation[]> {
  const rows = await db
    .selectFrom('evaluations')
    .select(['jour', 'notes', 'recommande', 'texte'])
    .where('stage_id', '=', stageId)
    .orderBy('jour')
    .orderBy('cle')
    .execute();
  return rows.map((row) => ({ ...row, notes: JSON.parse(row.notes) }));
}
