import { afterAll, describe, expect, test } from 'vitest';
import { listCorpusFolders, readCorpus } from './corpus.js';
import { runInput } from './run-target.js';
import { targets } from './targets/index.js';

describe.each(targets)('$name', (target) => {
  afterAll(() => target.close?.());

  test('each input of the corpus, and each seed → no promise broken', async () => {
    for (const bytes of await target.seeds()) await runInput(target, bytes);
    for (const bytes of target.hostile?.() ?? []) await runInput(target, bytes);
    for (const [, bytes] of readCorpus(target.name)) await runInput(target, bytes);
  });
});

test('each folder of the corpus → belongs to a target', () => {
  const names = targets.map(({ name }) => name);
  expect(listCorpusFolders().filter((folder) => !names.includes(folder))).toEqual([]);
});
