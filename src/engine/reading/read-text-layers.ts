import { boundByCopies } from '../workers/bound-by-copies.js';
import { createWarmWorkers, type WarmWorker } from '../workers/warm-workers.js';
import { chunksOf, type TextLayerReader } from './open-text-layers.js';
import { type TextLayerPage, unpackPage } from './packed-page.js';
import type { TextReport, TextTask } from './text-task.js';

/** Pages from which a second thread saves more than its start costs. */
const MIN_PAGES = 40;
const CHUNK_SIZE = 4;
/** Memory for copies of the file: each thread holds one, so that fewer threads read a large file. */
const MAX_COPIES_BYTES = 96 * 1024 * 1024;

const workers = createWarmWorkers(new URL('./text-worker.js', import.meta.url));

export interface TextLayersToRead {
  path: string;
  password: string | undefined;
  findsPrint: boolean;
  /** Numbers of the pages, from 1. */
  numbers: readonly number[];
  /** Maximum of threads, including the calling one. */
  parallelism: number;
  layers: TextLayerReader;
  /** Called once for each page, in any order; `page` is undefined if it is damaged. */
  onPage(index: number, page: TextLayerPage | undefined): Promise<void>;
}

/**
 * Reads the text layers of a PDF, a long one in several threads: all take the next chunk of pages from one counter. Chunks
 * that a thread took and did not return before it ended are read again here. Throws DocumentError as TextLayerReader does, and what onPage throws.
 */
export async function readTextLayers(work: TextLayersToRead): Promise<void> {
  const { numbers, layers, onPage } = work;
  const next = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  const missing = new Set(Array.from({ length: Math.ceil(numbers.length / CHUNK_SIZE) }, (_, chunk) => chunk));
  const readChunk = async (chunk: number) => {
    const from = chunk * CHUNK_SIZE;
    for (let index = from; index < Math.min(numbers.length, from + CHUNK_SIZE); index++)
      await onPage(index, await layers.read(numbers[index] ?? 0));
    missing.delete(chunk);
  };
  const { path, password, findsPrint } = work;
  const task: TextTask = { path, password, findsPrint, numbers, chunkSize: CHUNK_SIZE, next };
  const helpers = Array.from({ length: await countHelpers(work) }, () =>
    runWorker(task, async ({ chunk, pages }) => {
      // The chunk counts as read before the first await: onPage is called for its pages from here on.
      missing.delete(chunk);
      for (const [offset, page] of pages.entries())
        await onPage(chunk * CHUNK_SIZE + offset, page === undefined ? undefined : unpackPage(page));
    }),
  );
  try {
    for (const { chunk } of chunksOf(numbers.length, CHUNK_SIZE, next)) await readChunk(chunk);
    await Promise.all(helpers.map(({ ended }) => ended));
    for (const chunk of [...missing]) await readChunk(chunk);
  } finally {
    for (const { stop } of helpers) stop();
  }
}

async function countHelpers({ path, numbers, parallelism }: TextLayersToRead): Promise<number> {
  if (parallelism < 2 || numbers.length < MIN_PAGES) return 0;
  return (await boundByCopies(parallelism, path, MAX_COPIES_BYTES)) - 1;
}

interface RunningWorker {
  /** Resolves when the worker has ended in any way; rejects with the error of the listener. */
  ended: Promise<void>;
  /** Ends a worker that still runs. */
  stop(): void;
}

type Chunk = Extract<TextReport, { kind: 'chunk' }>;

function runWorker(task: TextTask, onChunk: (chunk: Chunk) => Promise<void>): RunningWorker {
  const worker = workers.take();
  const { thread } = worker;
  let isOver = false;
  let handled = Promise.resolve();
  const ended = new Promise<void>((resolve, reject) => {
    const finish = (isReusable: boolean) => {
      isOver = true;
      thread.off('message', onReport).off('error', onEnd).off('exit', onEnd);
      retire(worker, isReusable);
      handled.then(resolve, reject);
    };
    const onEnd = () => finish(false);
    const onReport = (report: TextReport) => {
      if (report.kind !== 'chunk') return finish(report.kind === 'done');
      handled = handled.then(() => onChunk(report));
      // finish() reports the error.
      handled.catch(() => {});
    };
    thread.on('message', onReport).on('error', onEnd).on('exit', onEnd);
    thread.postMessage(task);
  });
  // The caller awaits this only if nothing failed before.
  ended.catch(() => {});
  const stop = () => {
    if (!isOver) void thread.terminate();
  };
  return { ended, stop };
}

function retire(worker: WarmWorker, isReusable: boolean): void {
  if (isReusable) workers.giveBack(worker);
  else void worker.thread.terminate();
}
