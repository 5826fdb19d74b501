import { setTimeout as pause } from 'node:timers/promises';
import type { FastifyRequest } from 'fastify';
import { whose } from '#platform/server/budgets.ts';
import { conflict, HttpError, unreadable } from '#platform/server/errors.ts';
import { makeSecrets } from '#platform/server/secrets.ts';
import type { Services } from '#platform/server/services.ts';
import { KEY_HEADER } from '#platform/shared/presence.ts';
import { creating, findCreation, type Wish, writeAnswer } from './creationsStore.ts';

/** Time, in ms, for which a request waits for the answer of another one that has just created the same. */
const WAIT_MS = 5_000;
const STEP_MS = 50;

const OTHER = 'Cette clé a déjà servi à une autre demande\u202f: rien n’a été fait.';
const MADE =
  'C’était déjà fait\u202f: la première demande a réussi, et rien n’a été fait en double. Rechargez la page pour le voir.';

/**
 * Creates what is asked; with a key, once however often it is asked (docs/decisions/0038): the answer is kept, sealed by the
 * key itself, and `replay` gives it again. Throws 422 when the key was of something else, 409 when the answer was not kept.
 */
export async function once<T>(
  { database, secrets, log }: Services,
  { headers, session, routeOptions: { config } }: FastifyRequest,
  asked: unknown,
  make: () => Promise<T>,
  answerOf: (made: T) => unknown,
  replay: (answer: Buffer) => T,
): Promise<T> {
  const key = headers[KEY_HEADER];
  if (key === undefined) return make();
  if (!/^[\x21-\x7e]{8,255}$/.test(String(key)))
    throw unreadable('L’en-tête Idempotency-Key porte de 8 à 255 signes ASCII visibles.');
  const hash = (...parts: unknown[]) => secrets.fingerprint(`création:${JSON.stringify(parts)}`);
  const of = [session ? whose(session) : 'visiteur', config.name, key];
  const wish: Wish = { cle: hash('clé', of), demande: hash('demande', asked), isNoted: false };
  const sealer = makeSecrets(hash('réponse', of));

  async function findAnswer(): Promise<Buffer | undefined> {
    for (let waited = 0; ; waited += STEP_MS) {
      const found = await findCreation(database.db, wish.cle);
      if (!found) return undefined;
      if (found.demande !== wish.demande) throw new HttpError(422, OTHER);
      if (found.reponse) return Buffer.from(sealer.open(found.reponse, wish.cle));
      if (waited >= WAIT_MS) throw conflict(MADE);
      await pause(STEP_MS);
    }
  }

  const known = await findAnswer();
  if (known) return replay(known);
  let made: T;
  try {
    made = await creating.run(wish, make);
  } catch (error) {
    // Refused because somebody asked the same and was faster, by its key or by what it made.
    const answer = wish.isNoted ? undefined : await findAnswer();
    if (answer) return replay(answer);
    throw error;
  }
  const sealed = sealer.seal(JSON.stringify(answerOf(made)), wish.cle);
  // What is made is made: it is answered even where its answer cannot be kept.
  await database
    .write((transaction) => writeAnswer(transaction, wish.cle, sealed))
    .catch((error) => log.warn({ err: error }, 'the answer of a creation is not kept'));
  return made;
}
