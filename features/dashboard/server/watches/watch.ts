/** What the site watches of itself, for the portal's first page and for mails to those who run it. */

/** The parts of the site, as staff read them. */
export const PARTS = {
  base: 'Base de données',
  disque: 'Disque',
  envois: 'E-mails',
  travaux: 'Travaux du site',
  sauvegardes: 'Sauvegardes',
  fichiers: 'Fichiers',
  connexions: 'Connexions',
} as const;
export type Part = keyof typeof PARTS;

export interface Watch {
  /** Names the trouble in the database. */
  key: string;
  part: Part;
  /** The trouble in a few words. */
  label: string;
  /** Asks for somebody at once: said at the top of the portal's first page. The others are said beside their part. */
  isUrgent?: true;
  /**
   * Absent: told in the portal and by mail. `portal`: the mail would leave by what is broken, or is worth nobody's time;
   * `mail`: another watch says it in the portal.
   */
  only?: 'portal' | 'mail';
  /** The panel where it is seen to. */
  panel?: string;
  /** What is wrong and what to do about it, in a sentence without anybody's name; undefined: nothing. */
  look(): Promise<string | undefined>;
}
