import { expect, test } from 'vitest';
import { setUpClient } from '../support/client-set-up.js';
import { runInProcess } from '../support/run-in-process.js';

test('an answer of 300 MiB → refused at 256 MiB', async () => {
  const { home, server, tearDown } = await setUpClient();
  try {
    server.script.catalog = [{ body: `[${' '.repeat(300 * 1024 * 1024)}]` }];
    const { exitCode, stderr } = await runInProcess(['functions'], { home, env: server.env });
    expect(exitCode).toBe(7);
    expect(stderr).toContain('200 with more than 256 MiB');
  } finally {
    await tearDown();
  }
});
