import { journal } from '#features/audit/server/journal.ts';
import { noSuchStay, type Stay } from '#features/stays/server/staysStore.ts';
import type { Access } from '#platform/server/db/open.ts';
import { conflict, HttpError } from '#platform/server/http/errors.ts';
import { type Handlers, MadeFile } from '#platform/server/http/serve.ts';
import type { Services } from '#platform/server/services.ts';
import type { QueryOf } from '#platform/shared/call.ts';
import { rangeOf } from '#platform/shared/dates.ts';
import { nameKey } from '#platform/shared/fold.ts';
import { reportSheets } from './report-sheets.ts';
import { countChildren, listEvaluations, readReview } from './store.ts';

type ReportKey = 'GET /download-rapport';

/** The report of a stay, drawn anew at each download. */
export function reportHandlers(services: Services): Pick<Handlers, ReportKey> {
  const { database, sheets, clock, config } = services;
  return {
    'GET /download-rapport': async ({ query, ...context }) => {
      const report = await database.write(async (transaction) => {
        const stay = await getNamedStay(transaction, query);
        const about = { table: 'stages', id: stay.id };
        await journal(transaction, context, clock(), 'téléchargement du rapport d’un séjour', about);
        return {
          stay,
          children: await countChildren(transaction, stay.id),
          review: await readReview(transaction, stay.id),
          evaluations: await listEvaluations(transaction, stay.id),
        };
      });
      const workbook = await sheets.write(reportSheets(report, config.TIME_ZONE));
      return new MadeFile(workbook, `${report.stay.nom_stage}.xlsx`);
    },
  };
}

/** The stay of this name, at these dates where they are given; throws 409 with the dates when there are several. */
async function getNamedStay(
  db: Access,
  { nomStage, date_debut, date_fin }: QueryOf<ReportKey>,
): Promise<Stay> {
  if (nomStage === '') throw noStayChosen();
  const stays = await db.selectFrom('stages').selectAll().orderBy('date_debut').orderBy('date_fin').execute();
  const named = stays.filter(
    (stay) =>
      nameKey(stay.nom_stage) === nameKey(nomStage) &&
      stay.date_debut === (date_debut ?? stay.date_debut) &&
      stay.date_fin === (date_fin ?? stay.date_fin),
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
