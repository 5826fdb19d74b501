/** Who may hold a token. The wire knows directors as `formateur` and families as `stagiaire`. */
export const ROLES = ['admin', 'director', 'family', 'reader'] as const;

export type Role = (typeof ROLES)[number];

/** Who may make a call: `anyone` needs no token, and a bad one is ignored; a list allows only these roles. */
export type Access = 'anyone' | readonly Role[];

export const ADMIN: readonly Role[] = ['admin'];

/** The passwords of a stay, by wire name, and whom each lets in. */
export const PASSWORD_TYPES = { formateur: 'Directeur', stagiaire: 'Famille' } as const;

export type PasswordType = keyof typeof PASSWORD_TYPES;
