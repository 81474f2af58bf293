import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Ledger, openLedger } from '../../../src/ledger/ledger.js';
import type { Submission, SubmissionRecord } from '../../../src/ledger/record.js';

let stateDir: string;
let debugged: string[];
let nowMs: number;
beforeEach(() => {
  stateDir = join(mkdtempSync(join(tmpdir(), 'ocr-ledger-')), 'state');
  debugged = [];
  nowMs = Date.parse('2026-01-01T00:00:00Z');
});
afterEach(() => rmSync(join(stateDir, '..'), { recursive: true, force: true }));

const newest = (records: Iterable<SubmissionRecord>) => [...records][0];
const open = (): Ledger => openLedger({ stateDir, now: () => nowMs, debug: (message) => debugged.push(message) });

function submission(changes: Partial<Submission> = {}): Submission {
  return {
    input: { name: 'a.pdf', sha256: 'a'.repeat(64), sizeBytes: 3 },
    function: 'F',
    args: {},
    serverId: 'https://s',
    profile: 'p',
    ...changes,
  };
}

test('the lock of a killed process → free again after a moment', async () => {
  const ledger = open();
  const { record } = await ledger.begin(submission());
  const lock = join(stateDir, 'submissions', 'open', `${record.fingerprint}.lock`);
  writeFileSync(lock, '');
  await ledger.update(record, { jobId: 'job_late' });
  expect(newest(ledger.findJobs('job_late'))).toBeDefined();
});
