import { journal } from '#features/audit/server/journal.ts';
import { conflict, invalid, unauthorized } from '#platform/server/http/errors.ts';
import type { Handlers } from '#platform/server/http/serve.ts';
import type { Services } from '#platform/server/services.ts';
import type { BodyOf, CallKey } from '#platform/shared/call.ts';
import { dayAt } from '#platform/shared/time.ts';
import { reportHandlers } from './report.ts';
import { hasAnswered, insertEvaluation, markAnswered, readReview, writeReview } from './reviewsStore.ts';
import { getStay, getStayToChange, requireOwnStay } from './staysStore.ts';

type ReviewKeys = Extract<
  CallKey,
  | 'GET /stages/:id/bilan'
  | 'PUT /stages/:id/bilan'
  | 'GET /stages/:id/evaluation'
  | 'POST /stages/:id/evaluation'
  | 'GET /download-rapport'
>;

/** A camp's families may share an address; nobody answers for all of them by signing in again and again. */
const LIMIT = {
  perAddress: 60,
  perSite: 1_000,
  refusal: 'Trop de réponses ont été envoyées\u202f: réessayez dans quelques minutes.',
};

export function reviewHandlers(services: Services): Pick<Handlers, ReviewKeys> {
  const { database, attempts, clock, config } = services;
  const today = () => dayAt(clock(), config.TIME_ZONE);
  return {
    ...reportHandlers(services),
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
    // No line in the journal: its hour and address could tell who said what.
    'POST /stages/:id/evaluation': async ({ params, body, session, ip }) => {
      requireOwnStay(session, params.id);
      if (!session) throw unauthorized();
      const { date_fin } = await getStay(database.db, params.id);
      const jour = today();
      if (date_fin > jour) throw conflict('Le questionnaire s’ouvre le dernier jour du séjour.');
      const answer = answerOf(body);
      await attempts.count('questionnaire', ip, LIMIT);
      await database.write(async (transaction) => {
        await getStayToChange(database, transaction, params.id);
        if (!(await markAnswered(transaction, session.id))) {
          throw conflict('Vous avez déjà répondu, merci\u202f!');
        }
        await insertEvaluation(transaction, { stage_id: params.id, jour, ...answer });
      });
      return { message: 'Merci pour votre réponse\u202f!' };
    },
  };
}

/** The answer as it is kept; 422 when there is no mark and no word in it. */
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
