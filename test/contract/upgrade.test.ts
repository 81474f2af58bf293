import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { hashApiKey, mintApiKey } from '../../dist/contract/api-key.js';
import { createId } from '../../dist/contract/identifiers.js';
import { first } from '../../dist/store/migrations/001-first.js';
import { SCHEMA_VERSION } from '../../dist/store/schema.js';
import { type Database, openDatabase } from '../../dist/store/sqlite/database.js';
import { lockDirectory } from '../../dist/store/sqlite/directory-lock.js';
import { runCli } from '../support/run-cli.js';
import { createHome } from '../support/temporary-home.js';
import { createClient, createDataDir, HOSTILE_PROGRAM, startTestService } from './support/running-service.js';

interface OldStore {
  dataDir: string;
  key: string;
  organisationId: string;
  jobs: Record<'queued' | 'processing' | 'completed' | 'failed', { jobId: string; requestId: string }>;
}

/** A data directory as the first version left it when it was killed, made by that version's own SQL. */
function createOldStore(): OldStore {
  const dataDir = createDataDir();
  const db = openDatabase(join(dataDir, 'ocr.db'));
  db.exec('CREATE TABLE schema_migration (version INTEGER PRIMARY KEY, applied_at BIGINT NOT NULL)');
  db.exec(first);
  db.run('INSERT INTO schema_migration (version, applied_at) VALUES (1, 1)');
  const organisationId = createId('org');
  const key = mintApiKey('live');
  db.run('INSERT INTO organisation (id, name, created_at) VALUES (:organisationId, :name, :nowMs)', {
    organisationId,
    name: 'This machine',
    nowMs: Date.now(),
  });
  db.run(
    `INSERT INTO api_key (id, organisation_id, name, hash, prefix, last_four, created_at)
     VALUES (:id, :organisationId, 'first key', :hash, 'ocr_live_', :lastFour, :nowMs)`,
    { id: createId('key'), organisationId, hash: hashApiKey(key), lastFour: key.slice(-4), nowMs: Date.now() },
  );
  writeFileSync(join(dataDir, 'api-key'), `${key}\n`);
  mkdirSync(join(dataDir, 'documents'));
  const make = (status: string) => insertJob(db, dataDir, organisationId, status);
  const jobs = {
    queued: make('queued'),
    processing: make('processing'),
    completed: make('completed'),
    failed: make('failed'),
  };
  db.close();
  return { dataDir, key, organisationId, jobs };
}

function insertJob(db: Database, dataDir: string, organisationId: string, status: string) {
  const [jobId, requestId, documentId] = [createId('job'), createId('req'), createId('doc')];
  const nowMs = Date.now();
  const file = `%PDF-1.4 TEXT=${status}-text`;
  const isDone = status === 'completed' || status === 'failed';
  if (!isDone) writeFileSync(join(dataDir, 'documents', documentId), file);
  db.run(
    `INSERT INTO document (id, organisation_id, sha256, size_bytes, mime_type, page_count, created_at)
     VALUES (:documentId, :organisationId, 'ab', :sizeBytes, 'application/pdf', 1, :nowMs)`,
    { documentId, organisationId, sizeBytes: file.length, nowMs },
  );
  db.run(
    `INSERT INTO job (id, organisation_id, request_id, document_id, function, args, cache_key, status, priority, attempts, interruptions,
       token, lease_until, created_at, started_at, finished_at, page_count, error_code, error_message)
     VALUES (:jobId, :organisationId, :requestId, :documentId, 'TEXT_EXTRACTION', :args, :cacheKey, :status, 1, :attempts, 0,
       :token, :leaseUntilMs, :nowMs, :startedAtMs, :finishedAtMs, 1, :errorCode, :errorMessage)`,
    {
      jobId,
      organisationId,
      requestId,
      documentId,
      args: isDone ? '{}' : '{"args":{"format":"text"}}',
      cacheKey: `cache-${status}`,
      status,
      attempts: status === 'queued' ? 0 : 1,
      token: status === 'processing' ? 'a-token' : null,
      leaseUntilMs: status === 'processing' ? nowMs + 60_000 : null,
      nowMs,
      startedAtMs: status === 'queued' ? null : nowMs,
      finishedAtMs: isDone ? nowMs : null,
      errorCode: status === 'failed' ? 'INVALID_DOCUMENT' : null,
      errorMessage: status === 'failed' ? 'It is damaged' : null,
    },
  );
  db.run(
    `INSERT INTO request (id, organisation_id, key_id, key_last_four, function, file_name, size_bytes, page_count, job_id, cached, status,
       created_at, duration_ms)
     VALUES (:requestId, :organisationId, 'key_1', 'abcd', 'TEXT_EXTRACTION', :fileName, :sizeBytes, 1, :jobId, 0, :httpStatus,
       :nowMs, 3)`,
    {
      requestId,
      organisationId,
      fileName: `${status}.pdf`,
      sizeBytes: file.length,
      jobId,
      httpStatus: status === 'failed' ? 400 : 202,
      nowMs,
    },
  );
  if (status === 'completed')
    db.run(
      `INSERT INTO result (job_id, body, provider, page_count, duration_ms, created_at)
       VALUES (:jobId, '{"text":"kept"}', 'pdf-text', 1, 7, :nowMs)`,
      { jobId, nowMs },
    );
  return { jobId, requestId };
}

test('a data directory of the first version → complete, and unfinished jobs continue', async () => {
  const old = createOldStore();
  const running = await startTestService({ dataDir: old.dataDir, documentProgram: HOSTILE_PROGRAM });
  onTestFinished(() => running.remove());
  expect(running.key).toBe(old.key);
  const client = createClient(running.url, old.key);
  for (const state of ['queued', 'processing'] as const) {
    const job = await client.waitForJob(old.jobs[state].jobId);
    expect(job.json).toMatchObject({ status: 'completed', result: { text: `${state}-text` } });
  }
  const kept = await client.get(`/v1/ocr/jobs/${old.jobs.completed.jobId}`);
  expect(kept.json).toMatchObject({ status: 'completed', result: { text: 'kept' }, meta: { durationMs: 7 } });
  expect((await client.get(`/v1/ocr/jobs/${old.jobs.failed.jobId}`)).json).toMatchObject({
    status: 'failed',
    error: { code: 'INVALID_DOCUMENT', message: 'It is damaged' },
  });
  expect((await client.get(`/v1/ocr/requests/${old.jobs.completed.requestId}`)).json).toMatchObject({
    method: 'POST',
    fileName: 'completed.pdf',
    httpStatus: 202,
    jobStatus: 'completed',
    path: null,
    provider: null,
  });
  // Organisations of the first version stay without limits, and may call every function.
  expect((await client.submit('%PDF-1.4 TEXT=new')).json.result).toEqual({ text: 'new' });
  expect((await client.get('/v1/ocr/functions')).json.functions[0].included).toBe(true);
});

test('administration beside an older running service → no migration; without one → migrated', async () => {
  const { dataDir, organisationId } = createOldStore();
  const home = createHome();
  onTestFinished(() => {
    home.remove();
    rmSync(dataDir, { recursive: true, force: true });
  });
  const readAll = (sql: string) => {
    const db = openDatabase(join(dataDir, 'ocr.db'));
    const rows = db.all(sql).map((row) => ({ ...row }));
    db.close();
    return rows;
  };
  const readVersions = () => readAll('SELECT version FROM schema_migration').map((row) => row.version);
  // This lock stands for the older service, which locks its directory in the same way.
  const held = lockDirectory(dataDir);
  const refused = await runCli(['admin', 'orgs', '--data-dir', dataDir], { home });
  expect(refused).toMatchObject({ exitCode: 2, stdout: '' });
  expect(refused.stderr).toContain('An older version of the service runs');
  expect(refused.stderr).toContain('ocr serve');
  expect(readVersions()).toEqual([1]);
  held?.release();
  const run = await runCli(['admin', 'orgs', '--data-dir', dataDir, '--json'], { home });
  expect(JSON.parse(run.stdout)).toMatchObject([{ orgId: organisationId, name: 'This machine' }]);
  expect(readVersions().at(-1)).toBe(SCHEMA_VERSION);
  // A call that was answered 202 is answered 202 again.
  expect(readAll('SELECT status, deferred FROM job ORDER BY status')).toEqual([
    { status: 'completed', deferred: 1 },
    { status: 'failed', deferred: 0 },
    { status: 'processing', deferred: 1 },
    { status: 'queued', deferred: 1 },
  ]);
});

test('a store of a newer version → refused by service and administration, unchanged', async () => {
  const { dataDir } = createOldStore();
  const home = createHome();
  onTestFinished(() => {
    home.remove();
    rmSync(dataDir, { recursive: true, force: true });
  });
  const db = openDatabase(join(dataDir, 'ocr.db'));
  db.run('INSERT INTO schema_migration (version, applied_at) VALUES (999, 0)');
  db.close();
  for (const command of [
    ['serve', '--port', '0'],
    ['admin', 'orgs'],
    ['admin', 'backup', join(home.dir, 'copy')],
  ]) {
    const run = await runCli([...command, '--data-dir', dataDir], { home });
    expect(run, command.join(' ')).toMatchObject({ exitCode: 2, stdout: '' });
    expect(run.stderr).toContain('schema 999');
  }
});
