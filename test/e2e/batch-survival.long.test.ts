import { expect, test } from 'vitest';
import { readOpenRecords, setUpClient } from '../support/client-set-up.js';
import { runCli } from '../support/run-cli.js';

// The ordinary suite does the same with eight.
test('twenty-five commands at once → every job recorded and followed', async () => {
  const names = Array.from({ length: 25 }, (_, i) => `${i}.pdf`);
  const files = Object.fromEntries(names.map((name) => [name, name]));
  const { home, server, tearDown } = await setUpClient({ files, pollsUntilDone: 1 });
  try {
    const run = (args: string[]) => runCli(args, { home, env: server.env });
    const runs = await Promise.all(names.map((name) => run(['extract', '--no-wait', name])));
    expect(runs.filter(({ exitCode }) => exitCode !== 0)).toEqual([]);
    const printed = runs.map(({ stdout }) => stdout.trim()).sort();
    expect(printed).toEqual([...server.jobs.keys()].sort());
    const recorded = readOpenRecords(home).map(({ jobId }) => jobId);
    expect(recorded.sort()).toEqual(printed);
    const { stdout, exitCode } = await run(['jobs', 'wait', '--all', '--json']);
    expect(exitCode).toBe(0);
    expect(stdout.split('\n').slice(0, -1)).toHaveLength(25);
    expect(readOpenRecords(home)).toEqual([]);
  } finally {
    await tearDown();
  }
});
