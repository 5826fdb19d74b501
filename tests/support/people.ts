import type { RunningServer } from '#app/server/start.ts';
import { openSession } from '#platform/server/sessionsStore.ts';
import { API_PREFIX } from '#platform/shared/call.ts';
import { type Access, ALL_RIGHTS, isAdmitted, ROLES, type Role } from '#platform/shared/roles.ts';

/** An answer, read. */
export interface Answer {
  status: number;
  headers: Headers;
  text: string;
  /** The body as JSON; tests look into it freely. */
  // biome-ignore lint/suspicious/noExplicitAny: what comes back is what is under test
  json: any;
}

export interface AskOptions {
  token?: string | undefined;
  /** FormData and URLSearchParams go as they are, strings as they are, anything else as JSON. */
  body?: unknown;
  headers?: Record<string, string>;
  cookie?: string;
}

export interface TestSite extends RunningServer {
  /** `http://127.0.0.1:port` */
  origin: string;
  directory: string;
  logLines: string[];
  /** Moves the site's clock. */
  advance(ms: number): void;
  now(): Date;
  /** Asks any address: `ask('GET /api/images/x.webp')`. */
  ask(what: string, options?: AskOptions): Promise<Answer>;
  /** Asks a call of the table: `call('GET /actualites')`. */
  call(what: string, options?: AskOptions): Promise<Answer>;
  /** A live token of a role; families and directors are of `stageId`. */
  tokenOf(role: Role, stageId?: number): Promise<string>;
  close(): Promise<void>;
}

interface Around {
  directory: string;
  logLines: string[];
  advance(ms: number): void;
  now(): Date;
  cleanUp(): Promise<void>;
}

export function wrapSite(server: RunningServer, around: Around): TestSite {
  const address = server.app.server.address();
  if (typeof address !== 'object' || !address) throw new Error('the server does not listen');
  const origin = `http://127.0.0.1:${address.port}`;
  const ask = (what: string, options: AskOptions = {}) => {
    const [method = 'GET', path = '/'] = what.split(' ');
    return request(method, `${origin}${path}`, options);
  };
  return Object.assign(server, {
    origin,
    ...around,
    ask,
    call: (what: string, options?: AskOptions) => ask(what.replace(' /', ` ${API_PREFIX}/`), options),
    tokenOf: (role: Role, stageId = 1) => tokenOf(server, role, stageId, around.now()),
    close: async () => {
      await server.stop();
      await around.cleanUp();
    },
  });
}

/** Whether a call is open to somebody of a role; to an admin who has all rights. */
export function admits(access: Access, role: Role): boolean {
  if (access === 'anyone') return true;
  return isAdmitted({ role, rights: role === 'admin' ? ALL_RIGHTS : [] }, access);
}

/** The first role that a call is open to. */
export function firstRoleOf(access: Access): Role {
  return ROLES.find((role) => admits(access, role)) ?? 'admin';
}

/** Lets days pass as they do, the works that come back doing theirs all along. */
export async function passDays(site: TestSite, days: number): Promise<void> {
  let left = days;
  do {
    site.advance(Math.min(left, STEP_DAYS) * 24 * 3_600_000);
    await site.schedule.tick();
    left -= STEP_DAYS;
  } while (left > 0);
}

/** Fewer than those after which the site doubts its clock. */
const STEP_DAYS = 30;

async function request(
  method: string,
  url: string,
  { token, body, headers, cookie }: AskOptions,
): Promise<Answer> {
  const plain =
    body === undefined ||
    typeof body === 'string' ||
    body instanceof FormData ||
    body instanceof URLSearchParams;
  const response = await fetch(url, {
    method,
    redirect: 'manual',
    headers: {
      ...(token ? { authorization: `Bearer ${token}` } : {}),
      ...(cookie ? { cookie } : {}),
      ...(plain ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    body: plain ? (body as string | undefined) : JSON.stringify(body),
  });
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.startsWith('application/json') && text !== '';
  return {
    status: response.status,
    headers: response.headers,
    text,
    json: isJson ? JSON.parse(text) : undefined,
  };
}

/** Opened as a sign-in would; the admin is the site's first one. */
async function tokenOf(server: RunningServer, role: Role, stageId: number, now: Date): Promise<string> {
  const expires = new Date(now.getTime() + 12 * 3_600_000);
  return server.services.database.write(async (db) => {
    if (role === 'admin') {
      const admin = await db.selectFrom('admins').select('id').orderBy('id').executeTakeFirstOrThrow();
      return openSession(db, { role, adminId: admin.id }, now, expires);
    }
    return openSession(db, role === 'reader' ? { role } : { role, stageId }, now, expires);
  });
}
