import { STAY_SIGN_IN } from '#features/accounts/server/checks.ts';
import { journal } from '#features/audit/server/journal.ts';
import type { Access } from '#platform/server/db/database.ts';
import { tooMany, unauthorized } from '#platform/server/errors.ts';
import { cookieLine } from '#platform/server/http/access.ts';
import type { Lane } from '#platform/server/http/rateLimits.ts';
import type { Context, HandlersOf } from '#platform/server/http/serve.ts';
import { generatePassword, plainPassword, sameText } from '#platform/server/secrets.ts';
import type { Services } from '#platform/server/services.ts';
import { countOpened, ENDINGS, LIFETIME, openSession } from '#platform/server/sessionsStore.ts';
import type { PasswordType } from '#platform/shared/roles.ts';
import type { staySignInCalls } from '../calls.ts';
import { photoTimeOf } from './photoTime.ts';
import {
  findStay,
  findStayToChange,
  hasPasswords,
  openStayPassword,
  PASSWORD_ROLES,
  type Stay,
  type StayPasswords,
  sealStayPassword,
} from './staysStore.ts';

/*
 * Sign-in of a stay's families and directors: all families of a stay share one password, its directors another.
 */

/**
 * All families of a camp may share one address: those who type the right password must not wait half a minute because of
 * those who do not. Against passwords of sixty bits, a guess every few seconds is as hopeless as one every thirty.
 */
export const STAY_LANE: Lane = { name: STAY_SIGN_IN, longestWait: 4_000, burst: 50, everyMs: 20 };

/**
 * Sign-ins to a stay with the right password in ten minutes from one network: more than the families of the largest camp
 * who share one. Signing in anew gives back what a sign-in has used up, as downloads and answers are limited for each.
 */
const OPENED_FROM_NETWORK = 100;
const OPENED_MS = 10 * 60_000;

/** Longest typed password in characters, far longer than any password with all its blanks; longer input is wrong. */
const TYPED_MAX = 500;

const wrong = () => unauthorized('Numéro de séjour ou mot de passe incorrect.');

export function staySignInHandlers(services: Services): HandlersOf<typeof staySignInCalls> {
  const { rateLimits, database } = services;
  const matchPassword = passwordMatcher(services);

  /** Reads and locks the stay; 401 when its password changed or it was deleted since the password was compared. */
  async function stillOpened(transaction: Access, stay: Stay, type: PasswordType): Promise<Stay> {
    // Locked: a later change of the stay then also ends or shortens the session opened here.
    const now = await findStayToChange(database, transaction, stay.id);
    if (now?.[`mdp_${type}`] !== stay[`mdp_${type}`]) throw wrong();
    if (type === 'stagiaire' && now.mdp_commun === 0) throw unauthorized(ENDINGS.par_lien);
    return now;
  }

  return {
    'POST /auth/login': async (context) => {
      const { stageId, password } = context.body;
      const account = String(stageId);
      // Recorded by its number, so that staff can act on it.
      const opened = await rateLimits.check(STAY_LANE, { ip: context.ip, account, shownAs: account }, () =>
        matchPassword(stageId, password),
      );
      if (!opened) throw wrong();
      return enterStay(services, context, opened.type, (transaction) =>
        stillOpened(transaction, opened.stay, opened.type),
      );
    },
    'POST /session/reprise': async ({ session, token, header }) => {
      if (!session) throw unauthorized();
      header('set-cookie', cookieLine(services, session, token, new Date(session.expiresAt)));
      return { message: 'Séjour repris.' };
    },
  };
}

/**
 * Opens a session of a stay. `find` reads the stay and locks it, and throws where it may not be entered; `link`: the link
 * that opens it, if not a password. Throws 401 once the photos of the stay are over.
 */
export async function enterStay(
  services: Services,
  context: Pick<Context<'POST /auth/login'>, 'ip' | 'device' | 'header'>,
  type: PasswordType,
  find: (transaction: Access) => Promise<Stay>,
  link?: string,
) {
  const { database, config, clock } = services;
  const role = PASSWORD_ROLES[type];
  const now = clock();
  const { stay, token, expiresAt } = await database.write(async (transaction) => {
    const stay = await find(transaction);
    const stageId = stay.id;
    const { end, isOver } = await photoTimeOf(services, transaction, stay);
    if (isOver) throw gone(end, config.TIME_ZONE);
    const last = role === 'director' ? now.getTime() + LIFETIME.director : Number.POSITIVE_INFINITY;
    const expiresAt = new Date(Math.min(end.getTime(), last));
    await requireFewOpened(transaction, stageId, context.ip, now);
    if (role === 'director') {
      const actor = { ip: context.ip, session: { role, stageId, username: null } };
      const about = { table: 'stages', id: stageId };
      await journal(transaction, actor, now, 'connexion à un séjour', about);
    }
    const who = { role, stageId, from: context, link };
    return { stay, token: await openSession(transaction, who, now, expiresAt), expiresAt };
  });
  const { id: stageId, nom_stage } = stay;
  context.header('set-cookie', cookieLine(services, { role, stageId }, token, expiresAt));
  return {
    token,
    userRole: type,
    stageId,
    nom_stage,
    message: 'Connexion réussie. Redirection...',
    expire_le: expiresAt.toISOString(),
  };
}

/** Throws 429 when a stay has been opened too often from this network lately. */
async function requireFewOpened(db: Access, stageId: number, ip: string, now: Date): Promise<void> {
  const since = new Date(now.getTime() - OPENED_MS);
  if ((await countOpened(db, stageId, ip, since)) < OPENED_FROM_NETWORK) return;
  throw tooMany(
    60,
    'Ce séjour vient d’être ouvert un très grand nombre de fois d’ici\u202f: réessayez dans quelques minutes.',
  );
}

/**
 * Returns a function that finds which of a stay's two passwords was typed. It takes the same time whether the password
 * is right or wrong, the stay exists or not, and its passwords are erased or not.
 */
function passwordMatcher({ database, secrets }: Services) {
  const seal = (type: PasswordType) => sealStayPassword(secrets, 0, type, generatePassword());
  const nowhere: StayPasswords = {
    id: 0,
    mdp_formateur: seal('formateur'),
    mdp_stagiaire: seal('stagiaire'),
  };

  return async (
    stageId: number,
    password: string,
  ): Promise<{ stay: Stay; type: PasswordType } | undefined> => {
    const found = await findStay(database.db, stageId);
    const stay = found && hasPasswords(found) ? found : undefined;
    const typed = plainPassword(password.length > TYPED_MAX ? '' : password);
    const opens = (type: PasswordType) =>
      sameText(plainPassword(openStayPassword(secrets, stay ?? nowhere, type).unseen), typed);
    const [isFamily, isDirector] = [opens('stagiaire'), opens('formateur')];
    if (!stay || !(isFamily || isDirector)) return undefined;
    return { stay, type: isFamily ? 'stagiaire' : 'formateur' };
  };
}

function gone(since: Date, timeZone: string) {
  const day = new Intl.DateTimeFormat('fr-FR', { dateStyle: 'long', timeZone }).format(since);
  return unauthorized(`Les photos de ce séjour ne sont plus en ligne depuis le ${day}.`);
}
