import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { OcrError } from '../../../dist/contract/ocr-error.js';
import { loadServiceConfig } from '../../../dist/service/config/service-config.js';
import { readSettingsFile } from '../../../dist/settings/settings-file.js';
import { type FuzzTarget, promise, tolerate } from '../fuzz-target.js';

let folder: string | undefined;

function isConfigError(error: unknown): boolean {
  if (!(error instanceof OcrError) || error.code !== 'CONFIG_INVALID') return false;
  promise(!/TypeError|RangeError|Cannot|undefined/.test(error.message.replace(/"[^"]*"/g, '')), error.message);
  return true;
}

/** The configuration of the service, and the settings of the client. */
export const config: FuzzTarget = {
  name: 'config',
  seeds: () =>
    [
      '{"port":4077,"host":"[::1]","workers":"2","maxFileBytes":"50MiB","inlineTimeoutMs":"25s","webhookAllowCidrs":["10.0.0.0/8","fd00::/8"],"metricsPublic":true,"logLevel":"debug","webhookRetryDelaysMs":["30s",120000]}',
      '{"role":"all","dataDir":"/x","ocrEngine":"wasm","webhookRetryDelaysMs":"30s,2m","idleExitMs":1}',
      '{"profile":"a","profiles":{"a":{"baseUrl":"http://x","timeout":5},"b":{}}}',
    ].map((text) => Buffer.from(text)),
  tokens: [
    '{',
    '}',
    '[',
    ']',
    '"',
    ':',
    ',',
    '__proto__',
    '"toString":1',
    'null',
    'true',
    '\\u0000',
    'MiB',
    'd',
    '/33',
    '1e999',
    '-',
  ],
  runs: 1500,
  async run(bytes) {
    folder ??= mkdtempSync(join(tmpdir(), 'ocr-fuzz-config-'));
    const path = join(folder, 'config.json');
    writeFileSync(path, bytes);
    const loaded = await tolerate(isConfigError, () => loadServiceConfig({ flags: {}, env: {}, configFile: path }));
    if (loaded !== undefined) {
      promise(Number.isSafeInteger(loaded.config.maxFileBytes), 'a size is a whole number');
      promise(loaded.config.port >= 0 && loaded.config.port <= 65_535, 'a port is a port');
      promise(
        loaded.config.webhookRetryDelaysMs.every((delay) => delay >= 1),
        'a delay is at least 1 ms',
      );
    }
    const settings = await tolerate(isConfigError, () => readSettingsFile(folder ?? ''));
    for (const profile of Object.values(settings?.profiles ?? {}))
      promise(
        Object.values(profile).every((value) => typeof value === 'string'),
        'settings are text',
      );
  },
  async close() {
    if (folder !== undefined) rmSync(folder, { recursive: true });
    folder = undefined;
  },
};
