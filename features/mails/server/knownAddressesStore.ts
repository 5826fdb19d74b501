import { type RawBuilder, sql } from 'kysely';
import { noteWritten, whoActs } from '#platform/server/budgets.ts';
import type { Access, Database, Statement } from '#platform/server/db/database.ts';
import { isProven, requireProof, type Session } from '#platform/server/sessionsStore.ts';
import type { PasswordType } from '#platform/shared/roles.ts';
import { DAY_MS } from '#platform/shared/time.ts';
import type { Recipient } from './recipientsStore.ts';

/*
 * Known addresses: the codes of a stay go to no address that was added lately by somebody who had not just proved who they
 * are, as a thief of a session would add theirs. `destinataires` holds each address that may get the codes of a stay, and
 * since when. It is compared with families and directors at the end of every transaction that changes them, whichever call
 * it belongs to; an address that is not in it is the youngest of all.
 */

/** Time, in ms, after which an address is known whoever added it. */
const YOUNG_MS = DAY_MS;
/** Time, in ms, for which staff are told of a lost code that went to an address added without a proof. */
const TOLD_MS = 14 * DAY_MS;

/** The tables that say who gets codes. */
const SOURCES = ['stagiaires', 'formateurs', 'affectations'];

const recipients = sql`(
  select 'stagiaire' as type, stage_id, lower(email) as adresse from stagiaires where email <> ''
  union select 'stagiaire', stage_id, lower(email_2) from stagiaires where email_2 <> ''
  union select 'formateur', stage_id, lower(mail) from affectations
    join formateurs on formateurs.id = affectations.formateur_id where mail <> '')`;
/** Those, and the children who are given a link on paper (`paperKey`). */
const holders = sql`(
  select type, stage_id, adresse from ${recipients} as a
  union select 'stagiaire', stage_id, 'enfant-' || id from stagiaires)`;
/** Ends sign-ins by the link of an address that no longer belongs to the stay. */
const endOfLinks = sql`delete from sessions where lien is not null
  and not exists (select 1 from destinataires as d where d.lien = sessions.lien)`;
const isSame = sql`r.type = d.type and r.stage_id = d.stage_id and r.adresse = d.adresse`;

/** Statements that compare; addresses that are new are known at once where whoever acts has just proved who they are. */
function comparing(now: Date): RawBuilder<unknown>[] {
  const since = isProven(whoActs(), now) ? '' : now.toISOString();
  return [
    sql`delete from destinataires as d where not exists (select 1 from ${holders} as r where ${isSame})`,
    endOfLinks,
    sql`insert into destinataires (type, stage_id, adresse, depuis)
      select r.type, r.stage_id, r.adresse, cast(${since} as text) from ${recipients} as r
      where not exists (select 1 from destinataires as d where ${isSame})
      on conflict (type, stage_id, adresse) do nothing`,
  ];
}

/** Notes new recipients, in the transaction that changed these tables. */
export async function noteRecipients(
  transaction: Access,
  tables: ReadonlySet<string>,
  now: Date,
): Promise<void> {
  if (!SOURCES.some((table) => tables.has(table))) return;
  for (const statement of comparing(now)) await statement.execute(transaction);
}

/** Wraps a database so that long statements about these tables, which imports are, note new recipients as well. */
export function withRecipients(database: Database, clock: () => Date): Database {
  function noted(statements: readonly Statement[]): readonly Statement[] {
    const texts = statements.map(({ query }) => query.compile(database.db).sql);
    if (!texts.some((text) => SOURCES.some((table) => text.includes(table)))) return statements;
    noteWritten();
    return [...statements, ...comparing(clock()).map((query) => ({ query }))];
  }
  return {
    ...database,
    apart: (statements) => database.apart(noted(statements)),
    apartAfter: (prepare) => database.apartAfter(async (run) => noted(await prepare(run))),
  };
}

/** Since when the address of a recipient is known: '' for as long as matters, undefined: not yet. */
async function sinceWhen(db: Access, type: PasswordType, stageIds: readonly number[]) {
  const rows = await db
    .selectFrom('destinataires')
    .select(['stage_id', 'adresse', 'depuis'])
    .where('type', '=', type)
    .where('stage_id', 'in', stageIds)
    .execute();
  return new Map(rows.map(({ stage_id, adresse, depuis }) => [`${stage_id} ${adresse}`, depuis]));
}

type Known = Pick<Recipient, 'stageId' | 'key'>;

/** Those of some recipients whose addresses are young. */
export async function listYoung<R extends Known>(
  db: Access,
  type: PasswordType,
  all: readonly R[],
  now: Date,
): Promise<R[]> {
  if (all.length === 0) return [];
  const known = await sinceWhen(db, type, [...new Set(all.map(({ stageId }) => stageId))]);
  const before = new Date(now.getTime() - YOUNG_MS).toISOString();
  return all.filter(({ stageId, key }) => {
    const since = known.get(`${stageId} ${key}`);
    return since === undefined || since > before;
  });
}

/** Whether an address was added within `TOLD_MS` by somebody who had not proved who they are. */
export async function isToTell(
  db: Access,
  type: PasswordType,
  { stageId, key }: Known,
  now: Date,
): Promise<boolean> {
  const since = (await sinceWhen(db, type, [stageId])).get(`${stageId} ${key}`) ?? now.toISOString();
  return since > new Date(now.getTime() - TOLD_MS).toISOString();
}

/**
 * Makes the addresses of these recipients known, before codes are sent to them; returns how many were young. Throws 403
 * with `etape: preuve` when some are, and whoever sends has not just proved who they are.
 */
export async function requireKnown(
  transaction: Access,
  type: PasswordType,
  all: readonly Known[],
  session: Session | undefined,
  now: Date,
): Promise<number> {
  const young = await listYoung(transaction, type, all, now);
  if (young.length === 0) return 0;
  requireProof(session, now);
  for (const { stageId, key } of young)
    await transaction
      .insertInto('destinataires')
      .values({ type, stage_id: stageId, adresse: key, depuis: '' })
      .onConflict((clash) => clash.columns(['type', 'stage_id', 'adresse']).doUpdateSet({ depuis: '' }))
      .execute();
  return young.length;
}
