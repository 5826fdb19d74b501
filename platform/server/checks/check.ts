import { named } from '#platform/server/names.ts';
import type { Right } from '#platform/shared/roles.ts';

/*
 * Checks of the site: the platform and the features bring theirs, `app/server/features.ts` gathers them. The portal's first
 * page, the alert mails and `passerelle doctor` all read that one list.
 */

/** Parts of the site that checks are about, in the order of the doctor's report. */
export const PARTS = [
  'machine',
  'envois',
  'base',
  'effacements',
  'fichiers',
  'travaux',
  'sauvegardes',
  'connexions',
] as const;
export type Part = (typeof PARTS)[number];

/** What is typed on the machine of the site, as docs/incidents.md and docs/operations.md have it. */
export const COMMANDS = {
  doctor: 'sudo passerelle doctor',
  errors: `journalctl -u 'passerelle[.@]*' --since -1d | grep '"level":"error"'`,
  disk: 'df -h /var/lib/passerelle && du -xh --max-depth=2 /var | sort -h | tail',
  lastBackup: 'journalctl -u passerelle-backup -n 20 --no-pager',
  nightlyBackups: 'systemctl enable --now passerelle-backup.timer',
  putBackFiles: 'sudo passerelle restore /srv/sauvegardes --fichiers',
} as const;
type Command = (typeof COMMANDS)[keyof typeof COMMANDS];

/** A check of the site, told by up to two voices: to staff, and to the person who hosts the site. */
export type Check = {
  /** Names the check in reports, and its trouble in the database. */
  key: string;
  part: Part;
  /** Runs whether or not the site does, and changes nothing. `isThorough`: every file is read. */
  operator?(isThorough: boolean): Findings | Promise<Findings>;
  /** `operator` does without this version's schema, so it also runs while migrations are pending. */
  isSchemaFree?: true;
} & (StaffVoice | { staff?: never });

/** The voice of a check on the portal's first page, and in the mails to those who run the site. */
interface StaffVoice {
  /** A sentence on what is wrong and what to do about it, without anybody's name; undefined: all is well. */
  staff(): Promise<string | undefined>;
  /** When the last of what it tells happened: what comes after a mail is told in another one. Absent: once a day will do. */
  latest?(): Promise<string | undefined>;
  /** The trouble in a few words. */
  label: string;
  /** Somebody has to act at once: shown at the top of the portal's first page. Others are shown beside their part. */
  isUrgent?: true;
  /**
   * Where the trouble is told; absent: in the portal and by mail. `portal`: mail itself is broken, or the trouble is
   * not worth one; `mail`: another check tells it in the portal.
   */
  only?: 'portal' | 'mail';
  /** What the person who hosts the site types to see why, or to mend it; absent: staff deal with it. */
  command?: Command;
  /** The panel where it is dealt with. */
  panel?: string;
  /** The right of those who deal with it; absent: `reglages`. */
  right?: Right;
}
export type StaffCheck = Check & StaffVoice;

/** `texte` says what to do, in sentences for the person who hosts the site, maybe without help. */
export interface Finding {
  state: 'ok' | 'à surveiller' | 'à traiter';
  texte: string;
}
type Findings = Finding | Finding[];

export const fine = (texte: string): Finding => ({ state: 'ok', texte });

export const warn = (texte: string): Finding => ({ state: 'à surveiller', texte });

export const fail = (texte: string): Finding => ({ state: 'à traiter', texte });

/** Names within a finding: « (un, deux et 3 autres) ». */
export const listed = (names: readonly string[]): string => `(${named(names, 5)})`;

/** Checks by their part, in the order of `parts`; those of one part stay in their order. */
export function byPart<C extends Check>(checks: readonly C[], parts: readonly Part[]): C[] {
  return parts.flatMap((part) => checks.filter((check) => check.part === part));
}
