import { EventEmitter } from 'node:events';
import type { Worker } from 'node:worker_threads';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createPagePool, PAGE_TIMEOUT_MS } from '../../../../src/engine/workers/page-pool.js';
import { createWarmWorkers, type WarmWorker, type WarmWorkers } from '../../../../src/engine/workers/warm-workers.js';

type Answer = (thread: EventEmitter) => void;

/** Threads that answer every page in this way; `taken` counts them. */
function fakeWorkers(answer: Answer) {
  const given: WarmWorker[] = [];
  const counts = { taken: 0, ended: 0 };
  const workers: WarmWorkers = {
    take() {
      counts.taken++;
      const thread = Object.assign(new EventEmitter(), {
        postMessage: ({ kind }: { kind: string }) => kind === 'page' && answer(thread),
        terminate: async () => void counts.ended++,
      });
      return { thread: thread as unknown as Worker, done: 0, ended: false };
    },
    giveBack: (worker) => void given.push(worker),
    closeIdle: async () => {},
  };
  return { workers, given, counts };
}

const answerDone: Answer = (thread) => queueMicrotask(() => thread.emit('message', { kind: 'done', result: {} }));
const work = (workers: WarmWorkers) => ({ workers, name: 'recognition' });

it('100 pages → one worker, the next page → a new one', async () => {
  const { workers, counts } = fakeWorkers(answerDone);
  const pool = createPagePool(work(workers), 1, 1000);
  for (let page = 1; page <= 100; page++) await pool.read({});
  expect(counts).toEqual({ taken: 1, ended: 1 });
  await pool.read({});
  expect(counts.taken).toBe(2);
  await pool.close();
});

it('more pages than the parallelism → as many workers, given back at the end', async () => {
  const { workers, given, counts } = fakeWorkers(answerDone);
  const pool = createPagePool(work(workers), 3, 1000);
  await Promise.all(Array.from({ length: 8 }, () => pool.read({})));
  await pool.close();
  expect([counts.taken, given.length]).toEqual([3, 3]);
});

describe('real threads', () => {
  /** Threads that end, throw or wait, as the page asks; other pages they answer with the number of the thread. */
  const program = `
    const { parentPort, threadId } = await import('node:worker_threads');
    const { setTimeout } = await import('node:timers');
    parentPort.on('message', ({ kind, task }) => {
      if (kind !== 'page' || task.does === 'wait') return setTimeout(() => {}, 1e9);
      if (task.does === 'end') process.exit(1);
      if (task.does === 'throw') throw new Error('no memory');
      parentPort.postMessage({ kind: 'done', result: { thread: threadId } });
    });`;
  const workers = createWarmWorkers(new URL(`data:text/javascript,${encodeURIComponent(program)}`));
  const createPool = (parallelism = 1) =>
    createPagePool<{ does?: string }, { thread?: number; warning?: string }>(work(workers), parallelism, 30_000);
  afterEach(() => workers.closeIdle());

  it.each([
    ['ends', 'end', 'recognition failed: its thread ended'],
    ['throws', 'throw', 'recognition failed: no memory'],
  ])('a thread that %s → its page fails, the next page has another thread', async (_, does, message) => {
    const pool = createPool();
    const { thread: first } = await pool.read({});
    await expect(pool.read({ does })).rejects.toThrow(message);
    const { thread: second } = await pool.read({});
    expect(second).not.toBe(first);
    await pool.close();
  });

  it('the end of a run → running and waiting pages fail, and no thread is left', async () => {
    const pool = createPool();
    const reading = Promise.allSettled([pool.read({ does: 'wait' }), pool.read({}), pool.read({})]);
    await pool.close();
    expect((await reading).map((page) => page.status === 'rejected' && page.reason.message)).toEqual([
      'recognition failed: its thread ended',
      'the run ended',
      'the run ended',
    ]);
    const later = createPool();
    expect((await later.read({})).thread).toBeGreaterThan(0);
    await later.close();
  });
});

describe('the time limit of a page', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  /** Reads one page; `state` is its outcome so far. */
  function readOne(answer: Answer) {
    const { workers, counts } = fakeWorkers(answer);
    const outcome = { state: 'pending' as unknown, counts };
    createPagePool<object, { warning?: string }>(work(workers), 1, 5000)
      .read({})
      .then(
        (result) => {
          outcome.state = result;
        },
        (error: Error) => {
          outcome.state = error.message;
        },
      );
    return outcome;
  }

  it('has passed → the page fails and its thread is ended', async () => {
    const page = readOne(() => {});
    await vi.advanceTimersByTimeAsync(4999);
    expect(page.state).toBe('pending');
    await vi.advanceTimersByTimeAsync(1);
    expect(page).toEqual({ state: 'recognition took longer than 5 s', counts: { taken: 1, ended: 1 } });
  });

  it('has passed after an interim result → that result, with a warning', async () => {
    const page = readOne((thread) => queueMicrotask(() => thread.emit('message', { kind: 'interim', result: {} })));
    await vi.advanceTimersByTimeAsync(5000);
    expect(page.state).toEqual({
      warning: 'recognition took longer than 5 s: it may be read less well than on a quicker machine',
    });
  });

  it('a new part of a long page → begins again', async () => {
    const page = readOne((thread) => {
      setTimeout(() => thread.emit('message', { kind: 'interim', result: {}, movesOn: true }), 4000);
      setTimeout(() => thread.emit('message', { kind: 'interim', result: {}, movesOn: false }), 8000);
    });
    await vi.advanceTimersByTimeAsync(8999);
    expect(page.state).toBe('pending');
    await vi.advanceTimersByTimeAsync(1);
    expect(page.state).toHaveProperty('warning');
  });

  it('no setting → 45 s, less than the 60 s after which a document without progress ends', () => {
    expect(PAGE_TIMEOUT_MS).toBe(45_000);
  });
});
