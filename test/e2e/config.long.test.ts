import { mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { runInProcess } from '../support/run-in-process.js';
import { createHome, type TemporaryHome } from '../support/temporary-home.js';

let home: TemporaryHome;
beforeEach(() => {
  home = createHome();
});
afterEach(() => home.remove());

const run = (args: string[], env: Record<string, string> = {}) => runInProcess(args, { home, env });
const config = (args: string, env?: Record<string, string>) => run(['config', ...args.split(' ')], env);

test('a lock of a killed command → taken over', async () => {
  mkdirSync(home.configDir, { recursive: true });
  const lock = join(home.configDir, 'config.json.lock');
  writeFileSync(lock, '');
  utimesSync(lock, new Date(Date.now() - 60_000), new Date(Date.now() - 60_000));
  expect((await config('set format markdown')).exitCode).toBe(0);
  expect(readdirSync(home.configDir)).toEqual(['config.json']);
});
