/** Files of tests that take minutes on what seldom changes: `npm run test:all` has them, and who names them. */
export const LONG = ['tests/operations/debian.sqlite.test.ts', 'tests/operations/recipe.test.ts'];
