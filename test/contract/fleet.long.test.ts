import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { examples } from '../fixtures/manifest.js';
import { clientAt, type Fleet, startOwnFleet } from '../support/fleet.js';
import { createServiceHome, startOwnService } from '../support/own-service.js';
import { describeWithPostgres } from '../support/postgres.js';
import { until } from '../support/until.js';
import { createClient } from './support/running-service.js';

const REPORT = readFileSync(examples.report.path);
const ASYNC = { headers: { prefer: 'respond-async' } };

async function createFleet(): Promise<Fleet> {
  const fleet = await startOwnFleet();
  await fleet.admin('migrate');
  return fleet;
}

describeWithPostgres('several processes', () => {
  test('a worker that is killed → its documents are read by another, as an interruption and no attempt', {
    timeout: 180_000,
  }, async () => {
    const fleet = await createFleet();
    const { id, key } = await fleet.createOrganisation();
    const api = await fleet.serve('api');
    const doomed = await fleet.serve('worker', { OCR_SERVE_JOB_LEASE_MS: '2000' });
    const client = clientAt(api, key);
    const sent = await client.submit(readFileSync(examples.pagesTiff.path), ASYNC);
    const poll = () => client.get(`/v1/ocr/jobs/${sent.json.jobId}`);
    await until(async () => (await poll()).json.status === 'processing', 'the job to be started');
    doomed.signal('SIGKILL');
    await fleet.serve('worker', { OCR_SERVE_JOB_LEASE_MS: '2000' });
    expect((await client.waitForJob(sent.json.jobId, 120_000)).json).toMatchObject({ status: 'completed' });
    const jobs = JSON.parse(await fleet.admin('jobs', 'list', '--org', id, '--json'));
    expect(jobs).toMatchObject([{ attempts: 1, interruptions: 1 }]);
  });

  test('a data directory → moved with its keys, jobs, results and documents, once', {
    timeout: 180_000,
  }, async () => {
    const serving = await startOwnService(createServiceHome());
    const key = readFileSync(join(serving.dataDir, 'api-key'), 'utf8').trim();
    const client = createClient(serving.url, key);
    const { requestId } = (await client.submit(REPORT, { args: { pages: '1' } })).json;
    // Pages have a time limit each, so that a busy machine reads them all.
    // The bytes behind them are read by nobody; with them the document is a file, and no row.
    const pages = Buffer.concat([readFileSync(examples.pagesTiff.path), Buffer.alloc(64 * 1024)]);
    // The document must not be read to its end before the service is killed.
    const fleet = await createFleet();
    const unfinished = await client.submit(pages, ASYNC);
    expect((await fleet.run('admin', 'import', serving.dataDir)).stderr).toContain('A service runs on');
    serving.signal('SIGKILL');
    await serving.ended;
    const imported = JSON.parse(await fleet.admin('import', serving.dataDir, '--json'));
    expect(imported).toMatchObject({ organisations: 1, jobs: 2, documents: 1 });
    const there = createClient((await fleet.serve('all')).url, key);
    expect(await there.get(`/v1/ocr/requests/${requestId}`)).toMatchObject({ status: 200, json: { requestId } });
    expect((await there.waitForJob(unfinished.json.jobId, 120_000)).json).toMatchObject({ status: 'completed' });
    const again = await fleet.run('admin', 'import', serving.dataDir);
    expect(again).toMatchObject({ exitCode: 2, stdout: '' });
    expect(again.stderr).toContain('has organisations already');
  });
});
