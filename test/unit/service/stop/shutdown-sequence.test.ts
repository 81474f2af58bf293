import { expect, test } from 'vitest';
import type { Log } from '../../../../src/service/log.js';
import { createShutdownSequence } from '../../../../src/service/stop/shutdown-sequence.js';

test('the steps → run once, the latest first, also after a failing step', async () => {
  const seen: string[] = [];
  const ending = createShutdownSequence({ error: (_: unknown, text: string) => seen.push(text) } as unknown as Log);
  ending.add(() => seen.push('first'));
  ending.add(async () => {
    await Promise.resolve();
    throw new Error('cannot');
  });
  ending.add(() => seen.push('last'));
  await Promise.all([ending.run(), ending.run()]);
  await ending.ended;
  expect(seen).toEqual(['last', 'a step of stopping failed', 'first']);
});
