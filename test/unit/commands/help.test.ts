import { expect, test } from 'vitest';
import { help } from '../../../src/commands/help.js';
import { fakeContext } from '../../support/fake-context.js';

test.each([40, 50, 60, 70, 80, 120])('topics on a terminal of %i columns → no line is wider', async (columns) => {
  for (const topic of ['environment', 'exit-codes', 'output']) {
    const fake = fakeContext('terminal', { columns });
    await help(fake.context, { topic, commands: [] });
    expect(
      fake.stdout.split('\n').filter(({ length }) => length > columns),
      topic,
    ).toEqual([]);
  }
});

test('a topic in a pipe → as on a terminal of 80 columns', async () => {
  const [pipe, terminal] = [fakeContext('pipe'), fakeContext('terminal', { columns: 80 })];
  for (const fake of [pipe, terminal]) await help(fake.context, { topic: 'environment', commands: [] });
  expect(pipe.stdout).toBe(terminal.stdout);
  expect(pipe.stdout).toMatch(
    /^OCR_BASE_URL {9}address of the service; [^\n]+\n[\s\S]*\nHTTPS_PROXY, HTTP_PROXY, ALL_PROXY, NO_PROXY\n {21}proxies; /,
  );
});
