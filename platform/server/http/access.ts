import type { IncomingMessage } from 'node:http';
import type { FastifyRequest } from 'fastify';
import { forbidden, HttpError, unauthorized } from '#platform/server/errors.ts';
import type { Services } from '#platform/server/services.ts';
import {
  COOKIES,
  cookieOf,
  ENDINGS,
  findEnding,
  findSession,
  findSessions,
  requireProof,
  SEEN_MS,
  type Session,
  writeUse,
} from '#platform/server/sessionsStore.ts';
import type { Call } from '#platform/shared/call.ts';
import { UNATTENDED } from '#platform/shared/presence.ts';
import { isAdmitted, NEEDS, type Need, ROLES, type Role } from '#platform/shared/roles.ts';

/*
 * Access control: who is asking, and whether they may. Decided before a byte of a body is read: no session 401, wrong
 * role 403, a proof that is too old 403 as well, and only then does the address or the body matter.
 */

/** The bearer token of a request, unchecked. */
export function bearerToken({ headers }: Pick<IncomingMessage, 'headers'>): string | undefined {
  return /^Bearer +(\S+)$/i.exec(headers.authorization ?? '')?.[1];
}

/** The session of the bearer token; undefined without a token or with an invalid one. */
async function bearerSession(services: Services, request: FastifyRequest): Promise<Session | undefined> {
  const token = bearerToken(request);
  if (!token) return undefined;
  const session = await findSession(services.database.db, token, services.clock());
  request.presented ??= session;
  if (session) noteUse(services, request, session);
  return session;
}

/**
 * Writes that a session is used, once every few minutes; not where the page says that nobody is there, as it asks for news
 * by itself. Nothing waits for it: a disk that is full or a database that is busy must not keep anybody out.
 */
function noteUse({ database, clock }: Services, request: FastifyRequest, session: Session): void {
  const now = clock();
  if (UNATTENDED in request.headers || now.getTime() - Date.parse(session.seenAt) < SEEN_MS) return;
  database
    .write((transaction) => writeUse(transaction, session, now))
    .catch((error) => request.log.warn({ err: error }, 'the use of a session could not be noted'));
}

/** The 401 for a request without a live session; it says why somebody ended the one that it presents. */
async function notSignedIn({ database }: Services, request: FastifyRequest): Promise<HttpError> {
  const token = bearerToken(request);
  const fin = token && (await findEnding(database.db, token));
  return fin ? new HttpError(401, ENDINGS[fin], { extra: { fin } }) : unauthorized();
}

/** The session with which a call may run; undefined on a call open to anyone requested without a valid token. */
export async function admit(
  services: Services,
  request: FastifyRequest,
  call: Pick<Call, 'access' | 'fresh'>,
): Promise<Session | undefined> {
  const session = await bearerSession(services, request);
  if (call.access !== 'anyone') {
    if (!session) throw await notSignedIn(services, request);
    requireAdmitted([session], call.access);
  }
  if (call.fresh) requireProof(session, services.clock());
  return session;
}

/**
 * Every live session that a request for a private file presents: its bearer's, then its cookies', in the order of
 * `ROLES`. A browser that shows a PDF or a picture sends cookies only, and a person may hold several.
 */
export async function presentedSessions(services: Services, request: FastifyRequest): Promise<Session[]> {
  const bearer = await bearerSession(services, request);
  const held = heldCookies(services, request);
  const tokens = held.map(({ token }) => token);
  const live = await findSessions(services.database.db, tokens, services.clock());
  const byCookie = held.flatMap(({ name, token }) => {
    const session = live.get(token);
    // Sign-ins to stays older than their own cookies have that of their role.
    return session && [cookieOf(session), COOKIES[session.role]].includes(name) ? [session] : [];
  });
  byCookie.sort((one, other) => ROLES.indexOf(one.role) - ROLES.indexOf(other.role));
  const sessions = bearer ? [bearer, ...byCookie] : byCookie;
  request.presented ??= sessions[0];
  return sessions;
}

/**
 * The session with which a call that a browser opens by itself may run: that of the stay in the address, else of
 * staff, else any. Throws 403 when the page of another site makes the browser open it.
 */
export async function admitByCookie(
  services: Services,
  request: FastifyRequest,
  call: Call,
): Promise<Session | undefined> {
  if (isForeign(services, request)) throw foreign(services, request);
  const sessions = await presentedSessions(services, request);
  const access = call.access === 'anyone' ? [] : call.access;
  requireAdmitted(sessions, access);
  const allowed = sessions.filter((session) => isAdmitted(session, access));
  const { id } = request.params as { id?: string };
  const session =
    allowed.find(({ stageId }) => stageId === Number(id)) ??
    allowed.find(({ role }) => role === 'admin') ??
    allowed[0];
  if (call.fresh) requireProof(session, services.clock());
  return session;
}

/**
 * The sessions for which a page of stays may be rendered, one a stay, each that of the stay's own cookie: that of `stayId`;
 * without one, those of families. None when the page of another site makes the browser open it; staff have no stay.
 */
export async function admitToStays(
  services: Services,
  request: FastifyRequest,
  stayId: number | undefined,
): Promise<Session[]> {
  if (isForeign(services, request)) return [];
  const sessions = await presentedSessions(services, request);
  const asked = sessions.filter(({ stageId, role }) =>
    stayId === undefined ? role === 'family' : stageId === stayId,
  );
  const stays = new Map(asked.toReversed().map((session) => [session.stageId, session]));
  return [...stays.values()];
}

/**
 * Throws 401 without any session, 403 when none is admitted; to an admin the 403 names the right or the second factor
 * that is missing.
 */
export function requireAdmitted(sessions: readonly Session[], access: readonly (Role | Need)[]): void {
  if (sessions.length === 0) throw unauthorized();
  if (sessions.some((session) => isAdmitted(session, access))) return;
  if (sessions.some(({ isLate }) => isLate)) throw factorMissing();
  const rights = (Object.keys(NEEDS) as Need[])
    .filter((need) => access.includes(need))
    .map((need) => NEEDS[need]);
  const isStaff = sessions.some(({ role }) => role === 'admin');
  if (isStaff && access.includes('tous')) throw notEveryRight();
  throw isStaff && rights.length > 0 ? rightMissing(rights) : forbidden();
}

const factorMissing = () =>
  new HttpError(
    403,
    'Votre compte attend une clé d’accès ou une connexion en deux étapes\u202f: mettez-la en place dans «\u00a0Mon compte\u00a0».',
  );

const notEveryRight = () =>
  new HttpError(403, 'Cela demande tous les droits, et votre compte n’en a qu’une partie.');

const rightMissing = (rights: readonly string[]) =>
  new HttpError(403, `Votre compte n’a pas le droit «\u00a0${rights.join('\u00a0» ou «\u00a0')}\u00a0».`);

/**
 * Refuses what the page of another site makes a browser send: a write, or anything with a token. Browsers say where a
 * request comes from; programs that do not are let through, as they hold no one's cookies.
 */
export function refuseForeign(services: Services, request: FastifyRequest): void {
  const reads = request.method === 'GET' || request.method === 'HEAD';
  if (reads && request.headers.authorization === undefined) return;
  if (isForeign(services, request)) throw foreign(services, request);
}

/** What is said then; a page of ours that was opened at another address than the site's is no other site's. */
export function foreign(
  { publicUrl }: Services,
  { headers: { origin }, hostname }: FastifyRequest,
): HttpError {
  const isOurs = origin !== undefined && URL.canParse(origin) && new URL(origin).hostname === hostname;
  return new HttpError(
    403,
    isOurs
      ? `Cette page n’est pas ouverte à l’adresse du site\u202f: continuez sur ${publicUrl}.`
      : 'Cette demande vient d’un autre site\u202f: elle est refusée.',
  );
}

export function isForeign(services: Services, request: FastifyRequest): boolean {
  const site = request.headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return true;
  const { origin } = request.headers;
  if (origin === undefined) return false;
  if (origin === services.publicUrl) return false;
  // Without `PUBLIC_URL` the site answers under any address of its machine.
  if (services.config.PUBLIC_URL) return true;
  return !URL.canParse(origin) || new URL(origin).host !== request.headers.host;
}

function cookieName(services: Services, name: string): string {
  return services.isHttps ? `__Host-${name}` : name;
}

/** A `Set-Cookie` line for a session; without a token it removes the cookie. */
export function cookieLine(
  services: Services,
  session: Pick<Session, 'role' | 'stageId'>,
  token: string | undefined,
  expiresAt?: Date,
): string {
  return namedCookieLine(services, cookieOf(session), token, expiresAt);
}

/** A `Set-Cookie` line for any cookie that scripts cannot read; without a value it removes the cookie. */
export function namedCookieLine(
  services: Services,
  name: string,
  value: string | undefined,
  expiresAt = new Date(0),
): string {
  const parts = [`${cookieName(services, name)}=${value ?? ''}`, 'Path=/', 'HttpOnly', 'SameSite=Strict'];
  if (services.isHttps) parts.push('Secure');
  parts.push(value ? `Expires=${expiresAt.toUTCString()}` : 'Max-Age=0');
  return parts.join('; ');
}

/** The value of a cookie of this site, by its name without prefix, unchecked. */
export function cookieValue(services: Services, request: FastifyRequest, name: string): string | undefined {
  return heldCookies(services, request).find((cookie) => cookie.name === name)?.token;
}

/** Most cookies of a request that are read, the latest ones; a device keeps fewer (`STAYS_KEPT`). */
const COOKIES_READ = 50;

/** The cookies of this site in a request, unchecked, without the prefix of their names. */
function heldCookies(services: Services, { headers }: FastifyRequest): { name: string; token: string }[] {
  const pairs = (headers.cookie ?? '').split(';').map((pair) => pair.trim());
  const ours = pairs.filter((pair) => pair.startsWith(cookieName(services, 'passerelle_')));
  return ours.slice(-COOKIES_READ).map((pair) => {
    const [name = '', ...rest] = pair.slice(cookieName(services, '').length).split('=');
    return { name, token: rest.join('=') };
  });
}

/*
 * The device of a request, as its browser describes itself: enough for a person to recognise it, and nothing that would
 * tell it from others.
 */

/** Browsers by what they say, the most particular first: most of them also claim to be Chrome or Safari. */
const BROWSERS: readonly [RegExp, string][] = [
  [/Edg(A|iOS)?\//, 'Edge'],
  [/OPR\/|Opera/, 'Opera'],
  [/SamsungBrowser\//, 'Samsung Internet'],
  [/Firefox\/|FxiOS\//, 'Firefox'],
  [/Chrom(e|ium)\/|CriOS\//, 'Chrome'],
  [/Safari\//, 'Safari'],
];

/** Systems, likewise: Android also says Linux, an iPhone also says Mac OS X. */
const SYSTEMS: readonly [RegExp, string][] = [
  [/iPhone/, 'iPhone'],
  [/iPad/, 'iPad'],
  [/Android/, 'Android'],
  [/CrOS/, 'ChromeOS'],
  [/Windows/, 'Windows'],
  [/Macintosh|Mac OS X/, 'Mac'],
  [/Linux|X11/, 'Linux'],
];

/** The browser and system of a `User-Agent`, `Firefox sur Windows`; blank when neither is known. */
export function deviceOf(userAgent: string | undefined): string {
  const find = (names: readonly [RegExp, string][]) =>
    names.find(([pattern]) => pattern.test(userAgent ?? ''))?.[1];
  return [find(BROWSERS), find(SYSTEMS)].filter((name) => name !== undefined).join(' sur ');
}
