import type { Schema } from '#platform/server/db/columns.ts';
import type { Engine } from '#platform/server/db/open.ts';

/** Changes the schema, and moves the rows that the change concerns. */
export type Migration = (db: Schema, engine: Engine) => Promise<void>;
