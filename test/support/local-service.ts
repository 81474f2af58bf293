import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { ServiceFile } from '../../src/contract/service-file.js';
import { runCli } from './run-cli.js';
import { createHome, type TemporaryHome } from './temporary-home.js';

/** A home of its own for one test; the service that the test starts in it ends with the test. */
export function createLocalHome(env: Record<string, string> = {}): TemporaryHome {
  const home = createHome();
  Object.assign(home.env, env);
  onTestFinished(async () => {
    await runCli(['local', 'stop'], { home });
    home.remove();
  });
  return home;
}

export function readService(home: TemporaryHome): ServiceFile {
  return JSON.parse(readFileSync(join(home.dataDir, 'service.json'), 'utf8')) as ServiceFile;
}
