export const ADMIN_PASSWORD_MIN = 12;

export const GOOD_PASSWORD = `${ADMIN_PASSWORD_MIN} caractères au moins\u202f; une phrase entière est le mieux.`;
