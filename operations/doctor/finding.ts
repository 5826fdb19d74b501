import type { Scheduled } from '#platform/server/jobs/schedule.ts';
import type { Services } from '#platform/server/services.ts';

/** What was looked at, how it stands, and what to do: sentences for whoever hosts the site, who may have no other help. */
export interface Finding {
  state: 'ok' | 'à surveiller' | 'à traiter';
  texte: string;
}

export const fine = (texte: string): Finding => ({ state: 'ok', texte });
export const watch = (texte: string): Finding => ({ state: 'à surveiller', texte });
export const treat = (texte: string): Finding => ({ state: 'à traiter', texte });

/** What is looked at; nothing of it is changed. */
export interface Examined {
  services: Services;
  works: readonly Scheduled[];
  /** Every file is read and held against its hash. */
  isThorough: boolean;
}

/** Things that a sentence names. */
const NAMED = 5;

/** « (un, deux et 3 autres) », as a sentence goes on. */
export function listed(names: readonly string[]): string {
  const others = names.length - NAMED;
  const rest = others > 0 ? [others === 1 ? 'un autre' : `${others} autres`] : [];
  return `(${new Intl.ListFormat('fr').format([...names.slice(0, NAMED), ...rest])})`;
}
