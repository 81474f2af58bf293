import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { DOCUMENT_PROGRAM } from '../../../../dist/service/documents/process-handle.js';
import { isAlive } from '../../../../src/system/is-alive.js';
import { documents } from '../../../fixtures/manifest.js';
import { until } from '../../../support/until.js';

/** Stands for the service: it has two processes, one that reads a long scan and one that waits. */
const SERVICE = `
import { createDocumentPool } from ${JSON.stringify(new URL('../../../../dist/service/documents/pool.js', import.meta.url).href)};
import { UNCONFINED } from ${JSON.stringify(new URL('../../../../dist/service/documents/confinement/find-confinement.js', import.meta.url).href)};
const [room, path] = process.argv.slice(1);
const pool = createDocumentPool({
  program: ${JSON.stringify(DOCUMENT_PROGRAM)}, taskType: 'run', confinement: { system: UNCONFINED, memoryBytes: 2 ** 33, mayWrite: true },
  room, size: 2, keepWarm: 2, idleMs: 60000, recycleAfterTasks: 100, recycleAtBytes: 2 ** 40,
});
pool.warm();
const task = { type: 'run', function: 'TEXT_EXTRACTION', path, mimeType: 'application/pdf', args: {}, maxPixels: 1e8, maxResultBytes: 1e8, parallelism: 2 };
const limits = { timeoutMs: 600000, idleTimeoutMs: 600000, memoryBytes: 2 ** 33 };
const warm = pool.perform('a', () => ({ ...task, args: { pages: '1' } }), limits);
const read = () => pool.perform('b', () => task, limits, (pages) => console.log('page ' + pages));
read();
setInterval(() => {}, 1000);
`;

test('the service is killed where no namespace ends its children → they end all the same, programs and threads included', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'ocr-end-test-'));
  const service = spawn(
    process.execPath,
    ['--input-type=module', '-e', SERVICE, join(directory, 'run-'), documents.hundredScanned.path],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  onTestFinished(() => {
    service.kill('SIGKILL');
    rmSync(directory, { recursive: true, force: true });
  });
  await once(service.stdout, 'data');
  const pids = listDescendants(service.pid ?? 0);
  expect(pids.filter((pid) => readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(DOCUMENT_PROGRAM)).length).toBe(2);
  service.kill('SIGKILL');
  await until(() => !pids.some(isAlive), 'every child to end');
});

function listDescendants(pid: number): number[] {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
    .trim()
    .split(' ')
    .filter(Boolean)
    .map(Number);
  return [...children, ...children.flatMap(listDescendants)];
}
