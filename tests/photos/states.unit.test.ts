import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { leaves, TRANSITIONS, type Transition, type TransitionName } from '#features/photos/server/states.ts';
import { PHOTO_STATES, type PhotoState } from '#features/photos/shared/states.ts';

const STATES = Object.keys(PHOTO_STATES) as PhotoState[];
const NAMES = Object.keys(TRANSITIONS) as TransitionName[];

/** The table as a Mermaid state diagram. */
function drawTransitions(): string {
  const lines = Object.entries<Transition>(TRANSITIONS).flatMap(([name, { from, to, by }]) =>
    from.map((state) => `  ${state === 'new' ? '[*]' : state} --> ${to}: ${name} (${by})`),
  );
  return ['stateDiagram-v2', ...lines].join('\n');
}

test('The README draws the table of states as it is', () => {
  const readme = readFileSync(new URL('../../features/photos/README.md', import.meta.url), 'utf8');
  expect(/```mermaid\n([\s\S]*?)\n```/.exec(readme)?.[1]).toBe(drawTransitions());
});

test('Every state can be reached, and left but by nobody’s mistake', () => {
  for (const state of STATES) {
    expect(
      NAMES.some((name) => TRANSITIONS[name].to === state),
      state,
    ).toBe(true);
    expect(
      NAMES.some((name) => (TRANSITIONS[name].from as readonly string[]).includes(state)),
      state,
    ).toBe(true);
  }
});

test('A transition changes only photos in a state that it leaves', () => {
  expect(leaves('prepare', 'recue')).toBe(true);
  expect(leaves('prepare', 'publiee')).toBe(false);
  expect(leaves('hideOnRequest', 'refusee')).toBe(false);
  expect(leaves('publish', 'recue')).toBe(false);
});
