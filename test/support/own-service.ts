import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { call } from '../contract/support/http.js';
import { createClient } from '../contract/support/running-service.js';
import { type Serving, startServe } from './serve.js';
import { createHome, type TemporaryHome } from './temporary-home.js';
import { until } from './until.js';

/** A home that is removed when the test is over. */
export function createServiceHome(): TemporaryHome {
  const home = createHome();
  onTestFinished(() => home.remove());
  return home;
}

/** Starts `ocr serve` in a process that ends with the test. */
export async function startOwnService(
  home: TemporaryHome,
  env: Record<string, string> = {},
  args: string[] = [],
): Promise<Serving> {
  const serving = await startServe(home, ['--port', '0', ...args], env);
  onTestFinished(async () => {
    serving.signal('SIGKILL');
    await serving.ended;
  });
  return serving;
}

/** A client with the service's first key. */
export const clientOf = ({ url, dataDir }: Serving) =>
  createClient(url, readFileSync(join(dataDir, 'api-key'), 'utf8').trim());

/** Resolves when nothing listens at the address any more. */
export const untilRefused = (url: string) =>
  until(
    () =>
      call(url).then(
        () => false,
        () => true,
      ),
    'new connections to be refused',
  );

/** Resolves when the service works on a call. */
export const untilBusy = ({ url }: Serving) =>
  until(async () => (await call(`${url}/healthz`)).json.unfinishedJobs === 1, 'the call to be worked on');
