import { journal } from '#features/audit/server/journal.ts';
import type { Access } from '#platform/server/db/open.ts';
import type { Context, Handlers } from '#platform/server/http/serve.ts';
import { insertMailing } from '#platform/server/mail/outbox.ts';
import type { Services } from '#platform/server/services.ts';
import type { BodyOf } from '#platform/shared/call.ts';
import { PASSWORD_TYPES, type PasswordType } from '#platform/shared/roles.ts';
import { codesOf } from './compose.ts';
import { refuseTooMany } from './limit.ts';
import { getOpenStays, type Plan, planCodes, refuseAgain, refuseNobody } from './plan.ts';
import { shownOf } from './shown.ts';

const SEND = 'POST /stages/envoi-mots-de-passe';
const PREVIEW = `${SEND}/apercu` as const;
const TRY = `${SEND}/essai` as const;

/** Said where there is no mail server. */
const UNSENT = '\u202f: aucun serveur d’envoi n’est réglé, tout se lit dans «\u00a0E-mails envoyés\u00a0»';

type Actor = Omit<Context<typeof SEND>, 'body'>;

export function codesHandlers(services: Services): Pick<Handlers, typeof SEND | typeof PREVIEW | typeof TRY> {
  const { database, config, mails } = services;
  return {
    [PREVIEW]: ({ body, ...context }) =>
      database.write(async (transaction) => {
        const plan = await planCodes(services, transaction, body);
        return {
          nombre: plan.recipients.length,
          par_sejour: plan.stays.map(({ stay: { id, nom_stage, date_debut, date_fin }, ...counts }) => ({
            ...{ id, nom_stage, date_debut, date_fin },
            ...counts,
          })),
          exemple: await firstOf(services, transaction, plan, body, context),
        };
      }),
    [TRY]: async ({ body, ...context }) => {
      const id = await database.write((transaction) => insertTrial(services, transaction, body, context));
      mails.wake();
      return { message: config.SMTP_URL ? 'Message d’essai envoyé' : `Message d’essai prêt${UNSENT}`, id };
    },
    [SEND]: async ({ body, ...context }) => {
      const sent = await database.write((transaction) => insertCodes(services, transaction, body, context));
      mails.wake();
      return { message: config.SMTP_URL ? 'Envoi commencé' : `Messages prêts${UNSENT}`, ...sent };
    },
  };
}

/** The first message of those planned, as it would be read, password included. */
async function firstOf(
  services: Services,
  transaction: Access,
  { stays, recipients: [first] }: Plan,
  { type, objet, texte }: BodyOf<typeof PREVIEW>,
  context: Actor,
) {
  const stay = stays.find((planned) => planned.stay.id === first?.stageId)?.stay;
  if (!first || !stay) return null;
  const letter = await codesOf(services, transaction, {
    ...{ stay, type, to: first.address },
    texts: { objet, texte },
  });
  const about = { table: 'stages', id: stay.id };
  await journal(transaction, context, services.clock(), `aperçu d’un message des ${named(type)}`, about);
  return shownOf(letter);
}

async function insertTrial(
  services: Services,
  transaction: Access,
  { type, objet, texte, stageId, email }: BodyOf<typeof TRY>,
  context: Actor,
): Promise<number> {
  const { secrets, clock } = services;
  await refuseTooMany(services, transaction, context.session?.adminId ?? 0);
  await getOpenStays(services, transaction, type, [stageId], 'stageId');
  const messages = [{ address: email, stageId }];
  const mailing = { genre: 'essai' as const, type, texts: { objet, texte }, actor: context, messages };
  const now = clock();
  const id = await insertMailing(transaction, secrets, mailing, now);
  await journal(transaction, context, now, `essai d’un message des ${named(type)}`, { table: 'envois', id });
  return id;
}

async function insertCodes(
  services: Services,
  transaction: Access,
  body: BodyOf<typeof SEND>,
  context: Actor,
): Promise<{ id: number; nombre: number }> {
  const { secrets, clock } = services;
  const { type, objet, texte, seulement } = body;
  const plan = await planCodes(services, transaction, body);
  const now = clock();
  if (!seulement) await refuseAgain(transaction, body, now);
  refuseNobody(plan, body);
  const messages = plan.recipients.map(({ address, stageId }) => ({ address, stageId }));
  const mailing = { genre: 'codes' as const, type, texts: { objet, texte }, actor: context, messages };
  const id = await insertMailing(transaction, secrets, mailing, now);
  const nombre = messages.length;
  const action = `envoi des ${named(type)} à ${nombre} ${nombre > 1 ? 'adresses' : 'adresse'}`;
  await journal(transaction, context, now, action, { table: 'envois', id });
  return { id, nombre };
}

/** As the journal names them. */
function named(type: PasswordType): string {
  return `codes «\u00a0${PASSWORD_TYPES[type]}\u00a0»`;
}
