import { isWithin } from '#platform/shared/time.ts';
import { HttpError } from './errors.ts';
import type { Session } from './sessions.ts';

/** Time, in ms, for which a proof of who somebody is lets them do what asks for one. */
const PROOF_MS = 10 * 60_000;

/** Whether whoever has a session has just proved who they are. */
export function isProven(session: Pick<Session, 'provenAt'> | undefined, now: Date): boolean {
  return typeof session?.provenAt === 'string' && isWithin(session.provenAt, PROOF_MS, now);
}

export function proofWanted(): HttpError {
  const message = 'Confirmez que c’est vous\u202f: votre dernière preuve a plus de dix minutes.';
  return new HttpError(403, message, { extra: { etape: 'preuve' } });
}

/** Throws 403 with `etape: preuve` when the last proof of whoever has the session is too old, or there is none. */
export function requireProof(session: Pick<Session, 'provenAt'> | undefined, now: Date): void {
  if (!isProven(session, now)) throw proofWanted();
}
