/** What asks for somebody’s attention, as staff read it. */
export interface Alert {
  texte: string;
  panneau: string | null;
  /** A page of its own where it is seen to, in the place of a panel. */
  adresse: string | null;
}
