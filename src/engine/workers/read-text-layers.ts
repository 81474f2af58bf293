import { boundByCopies } from './bound-by-copies.js';
import { chunksOf, type TextLayerReader } from './open-text-layers.js';
import { type TextLayerPage, unpackPage } from './packed-page.js';
import type { TextReport, TextTask } from './text-task.js';
import { createWarmWorkers, type WarmWorker } from './warm-workers.js';

/** Of fewer pages, starting a thread costs more than it saves. */
const LEAST_PAGES = 40;
const CHUNK_SIZE = 4;
/** Each thread holds the whole file: of a large one fewer read. */
const MOST_COPIES_BYTES = 96 * 1024 * 1024;

const workers = createWarmWorkers(new URL('./text-worker.js', import.meta.url));

export interface TextLayersToRead {
  path: string;
  password: string | undefined;
  /** From 1. */
  numbers: readonly number[];
  /** Threads at most, with the one that calls. */
  parallelism: number;
  layers: TextLayerReader;
  /** Told of each page once, in any order; undefined where it is damaged. */
  onPage(index: number, page: TextLayerPage | undefined): Promise<void>;
}

/**
 * Reads the text layers of a PDF, long ones in several threads: all take the next chunk of pages from one counter. What a
 * thread has not given back when it ends is read again here. Throws DocumentError as TextLayerReader does, and what onPage throws.
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
  const task: TextTask = { path: work.path, password: work.password, numbers, chunkSize: CHUNK_SIZE, next };
  const helpers = Array.from({ length: await countHelpers(work) }, () =>
    runWorker(task, async ({ chunk, pages }) => {
      // Before anything is awaited: from here on it is told of.
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
  if (parallelism < 2 || numbers.length < LEAST_PAGES) return 0;
  return (await boundByCopies(parallelism, path, MOST_COPIES_BYTES)) - 1;
}

interface RunningWorker {
  /** Resolves when it will give nothing more, however it ended; rejects with what the listener threw. */
  ended: Promise<void>;
  /** Ends it where it still runs. */
  stop(): void;
}

type Chunk = Extract<TextReport, { kind: 'chunk' }>;

function runWorker(task: TextTask, onChunk: (chunk: Chunk) => Promise<void>): RunningWorker {
  const worker = workers.take();
  const { thread } = worker;
  let isOver = false;
  let told = Promise.resolve();
  const ended = new Promise<void>((resolve, reject) => {
    const finish = (isReusable: boolean) => {
      isOver = true;
      thread.off('message', onReport).off('error', onEnd).off('exit', onEnd);
      retire(worker, isReusable);
      told.then(resolve, reject);
    };
    const onEnd = () => finish(false);
    const onReport = (report: TextReport) => {
      if (report.kind !== 'chunk') return finish(report.kind === 'done');
      told = told.then(() => onChunk(report));
      // Heard of at the end.
      told.catch(() => {});
    };
    thread.on('message', onReport).on('error', onEnd).on('exit', onEnd);
    thread.postMessage(task);
  });
  // Awaited only where nothing else has failed before.
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
