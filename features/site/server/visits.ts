import { openTurns } from '#platform/server/concurrency.ts';
import type { HandlersOf } from '#platform/server/http/serve.ts';
import type { Services } from '#platform/server/services.ts';
import { DAY_MS, dayAt } from '#platform/shared/time.ts';
import type { audienceCalls } from '../calls.ts';
import { AUDIENCE_DAYS } from '../shared/limits.ts';
import { ALL_DAYS, addViews, deleteDaysBefore, keyOf, listTotals, type ViewRow } from './store.ts';

/** First parts of the addresses of public pages; the front page has none. */
const PAGES = [
  '',
  'a-propos',
  'membres',
  'Evenements',
  'event-detail',
  'une-details',
  'avantages',
  'avantage-detail',
  'compte-rendus',
  'contact',
  'recherche',
  'mentions-legales',
  'politique-confidentialite',
  'politique-photos',
  'accessibilite',
  'connexion',
];
const OTHER = 'autre';
const WHOLE_SITE = 'site';

export function audienceHandlers(views: Views): HandlersOf<typeof audienceCalls> {
  return {
    'GET /compteur.svg': async ({ query }) => {
      const page = query.page === WHOLE_SITE ? undefined : pageOf(query.page);
      return drawCounter((await views.total(page)) + query.initCount, query.nbdigits);
    },
    'POST /pages-vues': async ({ body, hasOptedOut }) => {
      if (hasOptedOut) return { message: 'Vue non comptée, comme votre navigateur le demande' };
      views.count(pageOf(body.page));
      return { message: 'Vue comptée' };
    },
  };
}

/**
 * The name under which views of an address are counted. Ids are left out, as nobody needs to know what is read. All
 * unknown addresses share one name, so that nobody can fill the table with invented ones.
 */
function pageOf(address: string): string {
  const first = (/^\/?([^/?#]*)/.exec(address)?.[1] ?? '').toLowerCase();
  return PAGES.find((page) => page.toLowerCase() === first) ?? OTHER;
}

/** Measures of the counter, in pixels. */
const HEIGHT = 20;
const TILE = 14;
const STEP = 16;
const BASELINE = 15;
/** Has enough contrast with white digits and with the light and dark backgrounds of the site. */
const COLOUR = '#1f7f72';

/**
 * The counter as a self-contained SVG image. `digits`: minimum number of tiles; a longer count is shown whole.
 */
function drawCounter(count: number, digits: number): string {
  const shown = [...String(count).padStart(digits, '0')];
  const width = shown.length * STEP - (STEP - TILE);
  const unit = count < 2 ? 'visite' : 'visites';
  const tiles = shown.map((digit, index) => {
    const left = index * STEP;
    return (
      `<rect x="${left}" width="${TILE}" height="${HEIGHT}" rx="3" fill="${COLOUR}"/>` +
      `<text x="${left + TILE / 2}" y="${BASELINE}">${digit}</text>`
    );
  });
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${HEIGHT}" ` +
    `viewBox="0 0 ${width} ${HEIGHT}" role="img">` +
    `<title>${count.toLocaleString('fr-FR')} ${unit}</title>` +
    '<g fill="#fff" font-family="ui-monospace, Menlo, Consolas, monospace" font-size="15" ' +
    `font-weight="700" text-anchor="middle">${tiles.join('')}</g></svg>`
  );
}

/*
 * Page views are counted in memory and added to the table a few seconds later, and at shutdown: many views cost one
 * write, not thousands. A crash loses the last seconds, which is acceptable for a visit counter.
 */

type Views = ReturnType<typeof openViews>;

const WRITE_AFTER_MS = 2_000;
/** Maximum number of waiting readers of the counter; beyond, the answer is 503. */
const WAITING_MAX = 1_000;

export function openViews({ database, config, clock, log }: Services) {
  // Reads and writes take turns: a read while counts move from memory to the table would miss them or count them
  // twice.
  const inTurn = openTurns(1, WAITING_MAX);
  let unwritten = new Map<string, ViewRow>();
  let timer: NodeJS.Timeout | undefined;

  function add(row: ViewRow): void {
    const key = keyOf(row);
    unwritten.set(key, { ...row, nombre: row.nombre + (unwritten.get(key)?.nombre ?? 0) });
    timer ??= setTimeout(write, WRITE_AFTER_MS).unref();
  }

  async function write(): Promise<void> {
    timer = undefined;
    try {
      await inTurn(async () => {
        const rows = [...unwritten.values()];
        if (rows.length === 0) return;
        unwritten = new Map();
        try {
          await database.write((transaction) => addViews(transaction, rows));
        } catch (error) {
          // Back to memory, for the next write; there are never more rows than pages times days.
          rows.forEach(add);
          throw error;
        }
      });
    } catch (error) {
      log.warn({ err: error }, 'page views are not written yet');
    }
  }

  return {
    count(page: string): void {
      add({ jour: dayAt(clock(), config.TIME_ZONE), page, nombre: 1 });
      add({ jour: ALL_DAYS, page, nombre: 1 });
    },
    /** Views of a page, or with undefined of all pages, including those not written yet. */
    total: (page: string | undefined): Promise<number> =>
      inTurn(async () => {
        const rows = [...(await listTotals(database.db)), ...unwritten.values()];
        return rows
          .filter((row) => row.jour === ALL_DAYS && (page === undefined || row.page === page))
          .reduce((sum, row) => sum + row.nombre, 0);
      }),
    /** Writes the remaining counts; called at the end of the process. */
    async stop(): Promise<void> {
      clearTimeout(timer);
      await write();
      // Counts that could not be written are lost: no write may be tried once the database is closed.
      clearTimeout(timer);
    },
  };
}

/** Scheduled: deletes the daily counts older than `AUDIENCE_DAYS`. */
export async function forgetOldDays({ database, config, clock }: Services): Promise<void> {
  const first = new Date(clock().getTime() - AUDIENCE_DAYS * DAY_MS);
  await database.write((transaction) => deleteDaysBefore(transaction, dayAt(first, config.TIME_ZONE)));
}
