import { renameSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openDatabase } from '../../dist/store/sqlite/database.js';
import { call } from './support/http.js';
import { HOSTILE_PROGRAM, startTestService, type TestService } from './support/running-service.js';
import { makeGated } from './support/test-documents.js';

let running: TestService;
let unique = 0;
const make = (text: string) => `%PDF-1.4 ${text} OPERATION=${unique++}`;

beforeAll(async () => {
  running = await startTestService({ documentProgram: HOSTILE_PROGRAM });
});
afterAll(() => running.remove());

interface Sample {
  name: string;
  labels: Record<string, string>;
  value: number;
}

/** The text format as Prometheus documents it: each metric has one HELP, one TYPE, then its samples. */
function parseMetrics(text: string): { types: Map<string, string>; samples: Sample[] } {
  expect(text.endsWith('\n')).toBe(true);
  const types = new Map<string, string>();
  const samples: Sample[] = [];
  let current = '';
  for (const line of text.slice(0, -1).split('\n')) {
    const type = /^# TYPE ([a-z_]+) (counter|gauge|histogram)$/.exec(line);
    if (type !== null) {
      expect(type[1]).toBe(current);
      types.set(current, type[2] ?? '');
    } else if (line.startsWith('#')) {
      current = /^# HELP ([a-z_]+) \S.*$/.exec(line)?.[1] ?? `not HELP: ${line}`;
      expect(types.has(current), current).toBe(false);
    } else {
      const [, name = '', labels = '', value] =
        /^([a-z_]+)(?:\{((?:[a-z]+="(?:[^"\\\n]|\\.)*",?)*)\})? (\S+)$/.exec(line) ?? [];
      expect(name.startsWith(current), line).toBe(true);
      expect(Number.isFinite(Number(value)), line).toBe(true);
      const pairs = [...labels.matchAll(/([a-z]+)="((?:[^"\\]|\\.)*)"/g)].map(([, label, text]) => [label, text]);
      samples.push({ name, labels: Object.fromEntries(pairs), value: Number(value) });
    }
  }
  return { types, samples };
}

async function readMetrics() {
  const answer = await call(`${running.url}/metrics`);
  expect(answer.status).toBe(200);
  expect(answer.headers['content-type']).toBe('text/plain; version=0.0.4; charset=utf-8');
  const { types, samples } = parseMetrics(answer.text);
  const read = (name: string, labels: Record<string, string> = {}) =>
    samples
      .filter((sample) => sample.name === name && Object.entries(labels).every(([k, v]) => sample.labels[k] === v))
      .reduce((sum, sample) => sum + sample.value, 0);
  return { types, samples, read, text: answer.text };
}

test('calls and documents → counted with durations and outcomes', async () => {
  const before = await readMetrics();
  expect((await running.submit(make('TEXT=a'))).status).toBe(200);
  expect((await running.submit(make(''), { args: { nonsense: 1 } })).status).toBe(400);
  await running.get('/v1/ocr/functions');
  await running.get(`/v1/ocr/jobs/${'x'.repeat(30)}`);
  await call(`${running.url}/v1/ocr/functions`);
  await running.get('/nowhere/a"b');
  const { read, types } = await readMetrics();
  const grew = (name: string, labels: Record<string, string>) => read(name, labels) - before.read(name, labels);
  const route = '/v1/ocr/:function';
  expect(grew('ocr_calls_total', { method: 'POST', route, status: '200', code: '' })).toBe(1);
  expect(grew('ocr_calls_total', { route, status: '400', code: 'INVALID_ARGS' })).toBe(1);
  expect(grew('ocr_calls_total', { route: '/v1/ocr/jobs/:id', status: '404', code: 'NOT_FOUND' })).toBe(1);
  expect(grew('ocr_calls_total', { route: '/v1/ocr/functions', status: '401', code: 'UNAUTHORIZED' })).toBe(1);
  expect(grew('ocr_calls_total', { route: 'none', status: '404' })).toBe(1);
  expect(grew('ocr_call_duration_seconds_count', { route })).toBe(2);
  expect(grew('ocr_call_duration_seconds_bucket', { route, le: '+Inf' })).toBe(2);
  expect(grew('ocr_call_duration_seconds_sum', { route })).toBeGreaterThan(0);
  expect(grew('ocr_documents_total', { outcome: 'done' })).toBe(1);
  expect(grew('ocr_document_duration_seconds_count', {})).toBe(1);
  expect(types.get('ocr_calls_total')).toBe('counter');
  expect(types.get('ocr_call_duration_seconds')).toBe('histogram');
});

test('histogram buckets → cumulative', async () => {
  await running.get('/v1/ocr/functions');
  const { samples, read } = await readMetrics();
  const route = '/v1/ocr/functions';
  const buckets = samples
    .filter((sample) => sample.name === 'ocr_call_duration_seconds_bucket' && sample.labels.route === route)
    .filter((sample) => sample.labels.method === 'GET')
    .map((sample) => sample.value);
  expect(buckets).toEqual([...buckets].sort((a, b) => a - b));
  expect(buckets.at(-1)).toBe(read('ocr_call_duration_seconds_count', { route, method: 'GET' }));
});

test('queued and running jobs, and the process → measured', async () => {
  const headers = { prefer: 'respond-async' };
  const gated = makeGated(running);
  const jobs = [];
  for (let i = 0; i < 4; i++) jobs.push((await running.submit(gated.make('PAGES=6'), { headers })).json.jobId);
  await expect.poll(gated.countRuns).toBe(2);
  const { read } = await readMetrics();
  expect(read('ocr_jobs', { status: 'processing' })).toBe(2);
  expect(read('ocr_jobs', { status: 'queued' })).toBe(2);
  expect(read('ocr_queue_age_seconds')).toBeGreaterThan(0);
  // After seconds of reading one more is ready.
  expect(read('ocr_document_processes', { kind: 'reading' })).toBeGreaterThanOrEqual(2);
  expect(read('ocr_ready')).toBe(1);
  expect(read('process_resident_memory_bytes')).toBeGreaterThan(10_000_000);
  expect(read('process_cpu_seconds_total')).toBeGreaterThan(0);
  gated.open();
  for (const jobId of jobs) await running.waitForJob(jobId);
  const later = await readMetrics();
  expect([later.read('ocr_jobs'), later.read('ocr_queue_age_seconds')]).toEqual([0, 0]);
});

test('the confinement of documents → in the metrics and in /readyz, where strangers do not see it', async () => {
  const { documentIsolation } = (await call(`${running.url}/readyz`)).json;
  expect(Object.keys(documentIsolation)).toEqual(['files', 'network', 'sockets', 'processes', 'memory']);
  const { read } = await readMetrics();
  for (const [from, isKept] of Object.entries(documentIsolation))
    expect(read('ocr_document_isolation', { from })).toBe(Number(isKept));
  const stranger = await call(`${running.url}/readyz`, { headers: { forwarded: 'for=203.0.113.9' } });
  expect(stranger.json).toEqual({ status: 'ready' });
});

test('metrics and health details → only for callers on this machine, not behind a proxy', async () => {
  for (const name of ['x-forwarded-for', 'forwarded', 'via', 'x-real-ip']) {
    const headers = { [name]: '203.0.113.9' };
    const metrics = await call(`${running.url}/metrics`, { headers });
    expect(metrics.status, name).toBe(404);
    expect(metrics.text).not.toContain('ocr_calls_total');
    const health = await call(`${running.url}/healthz`, { headers });
    expect(health.status).toBe(200);
    expect(Object.keys(health.json).sort()).toEqual(['instanceId', 'status', 'version']);
  }
  const open = await startTestService({ documentProgram: HOSTILE_PROGRAM, config: { metricsPublic: true } });
  try {
    const answer = await call(`${open.url}/metrics`, { headers: { 'x-forwarded-for': '203.0.113.9' } });
    expect(answer.text).toContain('ocr_ready 1\n');
  } finally {
    await open.remove();
  }
});

test('a data directory that cannot be written → not ready, until it can', async () => {
  const ready = () => call(`${running.url}/readyz`);
  expect((await ready()).json).toMatchObject({ status: 'ready' });
  const incoming = join(running.dataDir, 'incoming');
  renameSync(incoming, `${incoming}-away`);
  try {
    await expect.poll(async () => (await ready()).status).toBe(503);
    const answer = await ready();
    expect(answer.json.error).toMatchObject({ code: 'PROVIDER_UNAVAILABLE', retryable: true });
    expect(answer.json.error.message).toContain('its data directory cannot be written');
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
    expect((await call(`${running.url}/healthz`)).status).toBe(200);
    expect((await call(`${running.url}/metrics`)).text).toContain('ocr_ready 0\n');
  } finally {
    renameSync(`${incoming}-away`, incoming);
  }
  await expect.poll(async () => (await ready()).status).toBe(200);
  // Another program locks the store for long.
  const holder = openDatabase(join(running.dataDir, 'ocr.db'));
  holder.exec('BEGIN IMMEDIATE');
  try {
    await expect.poll(async () => (await ready()).status).toBe(503);
  } finally {
    holder.exec('ROLLBACK');
    holder.close();
  }
  await expect.poll(async () => (await ready()).status).toBe(200);
  expect(running.listBlobs()).toEqual([]);
});
