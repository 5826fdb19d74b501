/** Who may hold a token. The wire knows directors as `formateur` and families as `stagiaire`. */
export const ROLES = ['admin', 'director', 'family', 'reader'] as const;

export type Role = (typeof ROLES)[number];

/** What an admin may be let into: the parts of the portal, by wire name, as staff read them. */
export const RIGHTS = {
  contenus: 'Contenus et organigramme',
  sejours: 'Séjours et familles',
  photos: 'Photos',
  reglages: 'Comptes et réglages',
} as const;

export type Right = keyof typeof RIGHTS;

export const ALL_RIGHTS = Object.keys(RIGHTS) as Right[];

/** What a call or a panel asks of staff: a right, or all of them, which gathering what several rights open takes. */
export const NEEDS = { ...RIGHTS, tous: 'tous les droits' } as const;
export type Need = keyof typeof NEEDS;

/** Staff who have every right. */
export const EVERY_RIGHT: readonly Need[] = ['tous'];

/**
 * Who may make a call: `anyone` needs no token, and a bad one is ignored; a list admits nobody but these. In it a right
 * stands for the admins who have it, `tous` for those who have all, and `admin` for all of them.
 */
export type Access = 'anyone' | readonly (Role | Need)[];

/** Every admin, whatever their rights. */
export const ADMIN: readonly Role[] = ['admin'];

/** Whether an access list admits somebody. */
export function isAdmitted(
  who: { role: Role; rights: readonly Right[] },
  access: readonly (Role | Need)[],
): boolean {
  return access.includes(who.role) || meets(who.rights, access);
}

/** Whether rights are what is asked for: one of the needs. */
export function meets(rights: readonly Right[], needs: readonly (Role | Need)[]): boolean {
  const hasAll = ALL_RIGHTS.every((right) => rights.includes(right));
  return rights.some((right) => needs.includes(right)) || (hasAll && needs.includes('tous'));
}

/** The passwords of a stay, by wire name, and whom each lets in. */
export const PASSWORD_TYPES = { formateur: 'Directeur', stagiaire: 'Famille' } as const;

export type PasswordType = keyof typeof PASSWORD_TYPES;
