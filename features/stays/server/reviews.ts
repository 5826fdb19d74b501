import { journal } from '#features/audit/server/journal.ts';
import type { Actor } from '#platform/server/actor.ts';
import type { Access } from '#platform/server/db/database.ts';
import { conflict, HttpError, invalid, unauthorized } from '#platform/server/errors.ts';
import { type HandlersOf, MadeFile, savable } from '#platform/server/http/serve.ts';
import { networkOf } from '#platform/server/networks.ts';
import type { Services } from '#platform/server/services.ts';
import { type Cell, type Sheet, titles } from '#platform/server/sheets/sheets.ts';
import { type ZipFile, zipOf } from '#platform/server/zip/zip.ts';
import { MB } from '#platform/shared/bytes.ts';
import type { BodyOf, QueryOf } from '#platform/shared/call.ts';
import { rangeOf } from '#platform/shared/dates.ts';
import { dayAt, wallClock } from '#platform/shared/time.ts';
import type { reportCalls, reviewCalls } from '../calls.ts';
import { EVALUATION_QUESTIONS, type EvaluationQuestion, MARKS, REVIEW_SECTIONS } from '../shared/terms.ts';
import { countConsents } from './familiesStore.ts';
import {
  countEvaluations,
  type Evaluation,
  hasAnswered,
  insertEvaluation,
  listEvaluations,
  markAnswered,
  type Review,
  readReview,
  writeReview,
} from './reviewsStore.ts';
import {
  getCountedStay,
  getStay,
  getStayToChange,
  listStaysNamed,
  noSuchStay,
  requireOwnStay,
  type Stay,
} from './staysStore.ts';

/**
 * Rate limit of answers. The families of a camp may share an IP address, so it allows many; but nobody should answer
 * for all of them by signing in again and again.
 */
const LIMIT = {
  most: 60,
  refusal: 'Trop de réponses ont été envoyées\u202f: réessayez dans quelques minutes.',
};

/**
 * Answers that a stay takes: two for each child, as parents may answer apart, and this many at least. Signing in again
 * gives another answer, and the answers of one family must not drown those of the others.
 */
const ANSWERS_OF_CHILD = 2;
const ANSWERS_LEAST = 20;

export function reviewHandlers(services: Services): HandlersOf<typeof reviewCalls> {
  const { database, rateLimits, clock, config } = services;
  const today = () => dayAt(clock(), config.TIME_ZONE);
  return {
    'GET /stages/:id/bilan': async ({ params, session }) => {
      requireOwnStay(session, params.id);
      await getStay(database.db, params.id);
      return readReview(database.db, params.id);
    },
    'PUT /stages/:id/bilan': async ({ params, body, ...context }) => {
      requireOwnStay(context.session, params.id);
      await database.write(async (transaction) => {
        await getStayToChange(database, transaction, params.id);
        await writeReview(transaction, params.id, body.sections, clock());
        const about = { table: 'stages', id: params.id };
        await journal(transaction, context, clock(), 'enregistrement du bilan d’un séjour', about);
      });
      return { message: 'Bilan enregistré' };
    },
    'GET /stages/:id/evaluation': async ({ params, session }) => {
      requireOwnStay(session, params.id);
      if (!session) throw unauthorized();
      const { date_fin } = await getStay(database.db, params.id);
      return { ouverte: date_fin <= today(), faite: await hasAnswered(database.db, session.id) };
    },
    // Not written to the journal: the time and IP address could reveal who said what.
    'POST /stages/:id/evaluation': async ({ params, body, session, ip }) => {
      requireOwnStay(session, params.id);
      if (!session) throw unauthorized();
      const { date_fin } = await getStay(database.db, params.id);
      const jour = today();
      if (date_fin > jour) throw conflict('Le questionnaire s’ouvre le dernier jour du séjour.');
      const answer = answerOf(body);
      await rateLimits.count('questionnaire', networkOf(ip), LIMIT);
      await database.write(async (transaction) => {
        await getStayToChange(database, transaction, params.id);
        if (!(await markAnswered(transaction, session.id))) {
          throw conflict('Vous avez déjà répondu, merci\u202f!');
        }
        const { familles } = await getCountedStay(transaction, params.id);
        const most = Math.max(ANSWERS_LEAST, ANSWERS_OF_CHILD * familles);
        if ((await countEvaluations(transaction, params.id)) >= most)
          throw conflict('Ce séjour a déjà reçu autant de réponses qu’il a de parents.');
        await insertEvaluation(transaction, { stage_id: params.id, jour, ...answer });
      });
      return { message: 'Merci pour votre réponse\u202f!' };
    },
  };
}

/** The answer as it is stored; throws 422 when it has neither a mark nor text. */
function answerOf({ notes, recommande, texte }: BodyOf<'POST /stages/:id/evaluation'>) {
  const given = Object.entries(notes).filter(([, mark]) => mark !== null);
  if (given.length === 0 && !/[^\s\p{Cf}]/u.test(texte)) {
    throw invalid({ notes: 'donnez au moins une note, ou écrivez quelques mots.' }, { notes: 'Notes' });
  }
  return {
    notes: JSON.stringify(Object.fromEntries(given)),
    recommande: recommande === null ? null : Number(recommande),
    texte,
  };
}

/** The report of a stay, generated at each download. */
export function reportHandlers(services: Services): HandlersOf<typeof reportCalls> {
  const { database, sheets, clock, config } = services;
  return {
    'GET /download-rapport': async ({ query, ...context }) => {
      const report = await database.write(async (transaction) => {
        const stay = await getNamedStay(transaction, query);
        await noteReport(transaction, context, stay);
        return readReport(transaction, stay);
      });
      const workbook = await sheets.write(reportSheets(report, config.TIME_ZONE));
      return new MadeFile(workbook, `${report.stay.nom_stage}.xlsx`, 0);
    },
    'GET /rapports': async ({ query: { sejours }, ...context }) => {
      const stays = await database.write(async (transaction) => {
        const found: Stay[] = [];
        for (const id of sejours) found.push(await getStay(transaction, id));
        for (const stay of found) await noteReport(transaction, context, stay);
        return found;
      });
      const time = wallClock(clock(), config.TIME_ZONE);
      const files: ZipFile[] = [];
      // One after the other: only the workbooks are kept, not all that people wrote.
      for (const stay of stays) {
        const report = await readReport(database.db, stay);
        const body = await sheets.write(reportSheets(report, config.TIME_ZONE));
        files.push({ name: reportName(stay), body, time });
        if (files.reduce((sum, file) => sum + file.body.length, 0) > ARCHIVE_BYTES) throw tooHeavy();
      }
      const label = files.length === 1 ? 'Rapport.zip' : `${files.length} rapports.zip`;
      return new MadeFile(zipOf(files), label, 0);
    },
  };

  function noteReport(transaction: Access, actor: Actor, { id }: Stay): Promise<void> {
    const about = { table: 'stages', id };
    return journal(transaction, actor, clock(), 'téléchargement du rapport d’un séjour', about);
  }
}

/** Most bytes of an archive of reports, which is held in memory. */
const ARCHIVE_BYTES = 100 * MB;

const tooHeavy = () => conflict('Ces rapports sont trop lourds ensemble\u202f: choisissez moins de séjours.');

/**
 * The name of a report among others: they sort by date, the number tells two apart whose names look the same, and names
 * stay short enough for every disk.
 */
function reportName({ id, nom_stage, date_debut }: Stay): string {
  const name = [...nom_stage].slice(0, 50).join('').trim();
  return savable(`${date_debut} ${name} (${id}).xlsx`);
}

async function readReport(db: Access, stay: Stay): Promise<Report> {
  const consents = await countConsents(db, stay.id);
  return {
    stay,
    children: Object.values(consents).reduce((sum, count) => sum + count),
    review: await readReview(db, stay.id),
    evaluations: await listEvaluations(db, stay.id),
  };
}

/** Finds a stay by name, and by dates where given. Throws 404 for none, 409 listing the dates when several match. */
async function getNamedStay(
  db: Access,
  { nomStage, date_debut, date_fin }: QueryOf<'GET /download-rapport'>,
): Promise<Stay> {
  if (nomStage === '') throw noStayChosen();
  const named = (await listStaysNamed(db, nomStage)).filter(
    (stay) =>
      stay.date_debut === (date_debut ?? stay.date_debut) && stay.date_fin === (date_fin ?? stay.date_fin),
  );
  const [stay, ...others] = named;
  if (!stay) throw noSuchStay();
  if (others.length > 0) throw severalStays(named);
  return stay;
}

function noStayChosen(): HttpError {
  const message = 'Veuillez choisir un séjour';
  return new HttpError(422, message, { champs: { nomStage: message } });
}

function severalStays(stays: readonly Stay[]): HttpError {
  const dates = stays.map(({ date_debut, date_fin }) => rangeOf(date_debut, date_fin, 'fr'));
  const choice = new Intl.ListFormat('fr', { type: 'disjunction' }).format(dates);
  return conflict(`Plusieurs séjours portent ce nom\u202f: ajoutez ses dates, ${choice}.`);
}

interface Report {
  stay: Stay;
  children: number;
  review: Review;
  evaluations: readonly Evaluation[];
}

const QUESTIONS = Object.entries(EVALUATION_QUESTIONS) as [EvaluationQuestion, string][];

function reportSheets(report: Report, timeZone: string): Sheet[] {
  const { stay, review, evaluations } = report;
  const about = `${stay.nom_stage}, ${rangeOf(stay.date_debut, stay.date_fin, 'fr')}`;
  return [
    { ...summarySheet(report, timeZone), about },
    { ...reviewSheet(review, timeZone), about },
    { ...evaluationSheet(evaluations), about },
  ];
}

type ReportSheet = Omit<Sheet, 'about'>;

function summarySheet({ stay, children, review, evaluations }: Report, timeZone: string): ReportSheet {
  const opinions = evaluations.flatMap(({ recommande }) => recommande ?? []);
  const given = evaluations.flatMap(({ notes }) => Object.values(notes));
  const sections = review.sections.flatMap(({ note }) => note ?? []);
  return {
    name: 'Synthèse',
    widths: [46, 24, 11, 8, 8, 8, 8, 8],
    rows: [
      titles('Séjour', stay.nom_stage),
      ['Premier jour', new Date(stay.date_debut)],
      ['Dernier jour', new Date(stay.date_fin)],
      ['Enfants inscrits', children],
      ['Évaluations des familles', evaluations.length],
      ['Moyenne des évaluations', average(given)],
      ['Recommanderaient le séjour', { value: mean(opinions), format: '0%' }],
      ['Réponses à cette question', opinions.length],
      ['Bilan des directeurs', review.modifie_le ? instant(review.modifie_le, timeZone) : 'Pas encore écrit'],
      ['Moyenne du bilan', average(sections)],
      [],
      titles('Évaluations des familles', 'Moyenne', 'Réponses', ...MARKS.map((mark) => `Note ${mark}`)),
      ...QUESTIONS.map(([code, title]) => {
        const marks = evaluations.flatMap(({ notes }) => notes[code] ?? []);
        const counts = MARKS.map((mark) => marks.filter((one) => one === mark).length);
        return [title, average(marks), marks.length, ...counts];
      }),
      [],
      titles('Bilan des directeurs', 'Note'),
      ...review.sections.map(({ code, note }) => [REVIEW_SECTIONS[code], note]),
    ],
  };
}

function reviewSheet({ sections, modifie_le }: Review, timeZone: string): ReportSheet {
  const rows = sections.map((section) => [
    REVIEW_SECTIONS[section.code],
    section.note,
    section.commentaire,
    section.modifie_le ? instant(section.modifie_le, timeZone) : null,
  ]);
  return {
    name: 'Bilan',
    widths: [20, 7, 80, 17],
    rows: [
      titles('Section', 'Note', 'Commentaire', 'Modifié le'),
      ...(modifie_le ? rows : [['Le bilan n’est pas encore écrit.']]),
    ],
  };
}

function evaluationSheet(evaluations: readonly Evaluation[]): ReportSheet {
  const rows = evaluations.map(({ jour, notes, recommande, texte }) => [
    new Date(jour),
    ...QUESTIONS.map(([code]) => notes[code] ?? null),
    recommande === null ? null : recommande === 1 ? 'Oui' : 'Non',
    texte,
  ]);
  return {
    name: 'Évaluations',
    widths: [12, ...QUESTIONS.map(() => 14), 13, 72],
    rows: [
      titles('Jour', ...QUESTIONS.map(([, title]) => title), 'Recommande le séjour', 'Commentaire'),
      ...(rows.length > 0 ? rows : [['Aucune évaluation pour le moment.']]),
    ],
  };
}

/** The mean of the values; null, not zero, when there are none. */
function mean(values: readonly number[]): number | null {
  return values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length;
}

function average(marks: readonly number[]): Cell {
  return { value: mean(marks), format: '0.0' };
}

function instant(iso: string, timeZone: string): Cell {
  return { value: new Date(wallClock(new Date(iso), timeZone)), format: 'dd/mm/yyyy hh:mm' };
}
