import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { probeService } from '../../dist/local/probe-service.js';
import { stopService } from '../../dist/local/stop-service.js';
import type { ServiceFile } from '../../src/contract/service-file.js';
import { createHome, type TemporaryHome } from './temporary-home.js';

const STOP_TIMEOUT_MS = 35_000;

/** A home of its own for one test; the service that the test starts in it ends with the test. */
export function createLocalHome(env: Record<string, string> = {}): TemporaryHome {
  const home = createHome();
  Object.assign(home.env, env);
  onTestFinished(async () => {
    await stopLocalService(home);
    home.remove();
  });
  return home;
}

/** Stops the service as `ocr local stop` does, without a process for it. */
export async function stopLocalService({ dataDir }: TemporaryHome): Promise<void> {
  const found = await probeService(dataDir);
  if (found !== undefined) await stopService(found, STOP_TIMEOUT_MS);
}

export function readService(home: TemporaryHome): ServiceFile {
  return JSON.parse(readFileSync(join(home.dataDir, 'service.json'), 'utf8')) as ServiceFile;
}
