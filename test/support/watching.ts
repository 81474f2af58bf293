import { onTestFinished } from 'vitest';
import { readLines } from './client-set-up.js';
import { startCli } from './run-cli.js';
import type { TemporaryHome } from './temporary-home.js';
import { until } from './until.js';

export interface Watching {
  /** The lines that are printed so far. */
  lines(): Array<Record<string, unknown>>;
  /** Resolves when as many lines are printed. */
  waitFor(count: number): Promise<Array<Record<string, unknown>>>;
  stop(signal?: NodeJS.Signals): Promise<{ exitCode: number | undefined; stderr: string }>;
}

/** Starts a command that watches, as a process that ends with the test at the latest. */
export function startWatching(args: string[], home: TemporaryHome, env: Record<string, string>): Watching {
  const child = startCli(args, { home, env });
  let stdout = '';
  child.stdout?.on('data', (data: Buffer) => {
    stdout += data;
  });
  onTestFinished(() => {
    child.kill('SIGKILL');
  });
  const lines = () => readLines(stdout);
  return {
    lines,
    async waitFor(count) {
      await until(() => lines().length >= count);
      return lines();
    },
    async stop(signal = 'SIGTERM') {
      child.kill(signal);
      const { exitCode, stderr } = await child;
      return { exitCode, stderr };
    },
  };
}
