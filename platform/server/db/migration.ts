import type { Schema } from './columns.ts';
import type { Engine } from './open.ts';

/** Changes the schema, and moves the rows that the change concerns. */
export type Migration = (db: Schema, engine: Engine) => Promise<void>;
