import type { Config } from './config.ts';
import type { Database } from './db/database.ts';
import type { AnswerCache } from './http/cache.ts';
import type { ProxyDetector } from './http/headers.ts';
import type { RateLimits } from './http/rateLimits.ts';
import type { Images } from './images/images.ts';
import type { JobWorker } from './jobs/worker.ts';
import type { Log } from './log.ts';
import type { Mailer } from './mail/transport.ts';
import type { Metrics } from './metrics.ts';
import type { Pdfs } from './pdf/pdf.ts';
import type { Secrets } from './secrets.ts';
import type { Sheets } from './sheets/sheets.ts';
import type { ErasureFile } from './storage/erasureFile.ts';
import type { Storage } from './storage/storage.ts';
import type { UploadStaging } from './storage/uploadStaging.ts';

/** Services of the platform for the features: built once at the start, in order, passed explicitly, never looked up. */
export interface Services {
  config: Config;
  /**
   * Address of the site as people type it, without a trailing slash. Where PORT is 0 and there is no PUBLIC_URL, known
   * once the server listens: the only part that is not final from the start.
   */
  publicUrl: string;
  isHttps: boolean;
  database: Database;
  storage: Storage;
  staging: UploadStaging;
  images: Images;
  pdfs: Pdfs;
  sheets: Sheets;
  secrets: Secrets;
  rateLimits: RateLimits;
  cache: AnswerCache;
  proxy: ProxyDetector;
  jobs: JobWorker;
  mails: Mailer;
  /** The log of erasures, apart from the database. */
  erasures: ErasureFile;
  clock: () => Date;
  metrics: Metrics;
  log: Log;
}
