import { expect, test } from 'vitest';
import type { Log } from '../../../../src/service/log.js';
import { createRequestLog } from '../../../../src/service/monitoring/request-log.js';
import type { RequestEntry } from '../../../../src/store/requests.js';
import type { Store } from '../../../../src/store/store.js';

const entry = { organisationId: 'org_1' } as RequestEntry;
const log = { error: () => {} } as unknown as Log;

/** A log on a store that answers when it is told to. */
function open() {
  const writes: Array<{ resolve(): void; reject(error: Error): void }> = [];
  const write = () => new Promise<void>((resolve, reject) => writes.push({ resolve, reject }));
  return { requests: createRequestLog({ write } as unknown as Store, log), writes };
}

function add(requests: ReturnType<typeof createRequestLog>, count: number): void {
  for (let i = 0; i < count; i++) requests.add(entry);
}

test('a store that does not answer → the oldest waiting lines are dropped', async () => {
  const { requests, writes } = open();
  add(requests, 5_000);
  void requests.flush();
  add(requests, 7_000);
  void requests.flush();
  expect(writes).toHaveLength(1);
  expect(requests.lost).toBe(2_000);
  // It is back: what waits is written, and nothing more is lost.
  writes[0]?.resolve();
  await expect.poll(() => writes.length).toBe(2);
  add(requests, 5_000);
  expect(requests.lost).toBe(2_000);
});

test('lines that failed to be written → wait again, the oldest are dropped', async () => {
  const { requests, writes } = open();
  add(requests, 3_000);
  void requests.flush();
  add(requests, 3_000);
  writes[0]?.reject(new Error('the disk is full'));
  await expect.poll(() => requests.lost).toBe(1_000);
  await expect.poll(() => writes.length).toBe(2);
});
