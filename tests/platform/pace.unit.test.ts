import { expect, test } from 'vitest';
import { paced } from '#platform/shared/pace.ts';

test('however many events come, one question is under way, and one more follows it', async () => {
  const answers: (() => void)[] = [];
  const event = paced(() => new Promise<void>((resolve) => answers.push(resolve)), 0);
  event();
  expect(answers).toHaveLength(1);
  for (let count = 0; count < 5; count++) event();
  expect(answers).toHaveLength(1);
  answers[0]?.();
  await expect.poll(() => answers.length).toBe(2);
  event();
  answers[1]?.();
  await expect.poll(() => answers.length).toBe(3);
});
