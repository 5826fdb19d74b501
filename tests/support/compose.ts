import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

/** What tests ask of a service. */
export interface Service {
  image?: string;
  build?: { context: string; dockerfile: string };
  command?: string[];
  /** `CMD`, and its words. */
  healthcheck?: { test: string[] };
  read_only?: boolean;
  tmpfs?: string[];
  cap_drop?: string[];
  security_opt?: string[];
  /** As `20s`. */
  stop_grace_period?: string;
  /** `address:port:port inside` */
  ports?: string[];
  /** `volume or path:path inside`, and how it is mounted */
  volumes?: string[];
  depends_on?: string[] | Record<string, unknown>;
}

export interface Compose {
  services: Record<string, Service>;
  volumes: Record<string, unknown>;
}

/** A file of deploy/ as compose reads it, but for variables. Throws for what is no YAML, or says a key twice. */
export function readCompose(file: string): Compose {
  return parse(readFileSync(join(import.meta.dirname, '../../deploy', file), 'utf8'), { merge: true });
}

/** The seconds of `stop_grace_period`. */
export const graceOf = ({ stop_grace_period: grace = '' }: Service) => Number(/^(\d+)s$/.exec(grace)?.[1]);
