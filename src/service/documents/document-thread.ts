/** Worker thread of a document process. It opens documents, which may keep it busy for minutes. */
import { parentPort } from 'node:worker_threads';
import { DocumentError } from '../../engine/model/document-error.js';
import type { SampledPages } from '../../engine/sample-pages.js';
import { selectPages } from '../../engine/select-pages.js';
import type { DrawnPage, Report, Task } from './protocol.js';
import { thinProgress } from './thin-progress.js';

if (parentPort === null) throw new Error('this is the thread of a document process');
const port = parentPort;
const report = (message: Report) => port.postMessage(message);

port.on('message', (task: Task) => {
  perform(task).then(report, (error: unknown) => report(describeError(error)));
});

// The modules load ahead of the first task. A task that comes at once waits no longer than for its own load.
const PRELOADS: Record<Task['type'], () => Promise<unknown>> = {
  'count-pages': () =>
    Promise.all([import('../../engine/count-pages.js'), import('../../engine/pdf-files/pdfium/pdfium.js')]),
  run: () => import('../../engine/read-document.js'),
  'draw-pages': () => import('../../engine/products/page-pictures/draw-pages.js'),
};
PRELOADS[process.argv[2] as Task['type']]?.().catch(() => {});

async function perform(task: Task): Promise<Report> {
  if (task.isOwnerNew === true) await forgetDocuments();
  if (task.type === 'count-pages') {
    const password = task.password === undefined ? {} : { password: task.password };
    const counted =
      task.looksAtPages === true ? await sample(task, password) : { pageCount: await count(task, password) };
    // A wrong page range is refused now. Found later, it would be a job that fails.
    if (task.pages !== undefined) selectPages(task.pages, counted.pageCount);
    return { type: 'counted', ...counted };
  }
  if (task.type === 'draw-pages') return await draw(task);
  const { findFunction } = await import('../../functions/catalog.js');
  const found = findFunction(task.function);
  if (found === undefined) throw new Error(`no function ${task.function}`);
  const progress = thinProgress((pagesDone, pageCount) => report({ type: 'progress', pagesDone, pageCount }));
  try {
    const {
      result,
      provider,
      pageCount,
      confidence = null,
      ranOutOfTime = false,
    } = await found.run({
      path: task.path,
      mimeType: task.mimeType,
      args: task.args,
      limits: { maxPixels: task.maxPixels, parallelism: task.parallelism },
      ...(task.native === undefined ? {} : { native: task.native }),
      onProgress: progress.tell,
    });
    return {
      type: 'done',
      body: renderResult(result, task.maxResultBytes),
      provider,
      pageCount,
      confidence,
      ranOutOfTime,
    };
  } finally {
    progress.end();
  }
}

type CountTask = Extract<Task, { type: 'count-pages' }>;

async function count({ path, mimeType, maxPixels }: CountTask, password: { password?: string }): Promise<number> {
  const { countPages } = await import('../../engine/count-pages.js');
  return await countPages(path, mimeType, { ...password, maxPixels });
}

async function sample(
  { path, mimeType, maxPixels, pages }: CountTask,
  password: { password?: string },
): Promise<SampledPages> {
  const { samplePages } = await import('../../engine/sample-pages.js');
  return await samplePages(path, mimeType, { ...password, maxPixels, pages });
}

async function draw(task: Extract<Task, { type: 'draw-pages' }>): Promise<Report> {
  const { drawPages } = await import('../../engine/products/page-pictures/draw-pages.js');
  const pageCount = task.pages.length;
  const pictures = await drawPages(task, (pagesDone) => report({ type: 'progress', pagesDone, pageCount }));
  const drawn: DrawnPage[] = pictures.map(({ bytes, ...picture }) => ({
    ...picture,
    bytes: Buffer.from(bytes).toString('base64'),
  }));
  return { type: 'done', body: JSON.stringify(drawn), provider: 'pictures', pageCount };
}

/** Ends what an earlier document can have changed: instances of PDFium, here and in threads for pages. */
async function forgetDocuments(): Promise<void> {
  const { renewPdfium } = await import('../../engine/pdf-files/pdfium/pdfium.js');
  const { closeIdleWorkers } = await import('../../engine/workers/warm-workers.js');
  renewPdfium();
  await closeIdleWorkers();
}

function renderResult(result: unknown, maxBytes: number): string {
  const body = stringify(result);
  if (body !== undefined && Buffer.byteLength(body) <= maxBytes) return body;
  throw new DocumentError('too-large', `its result is larger than ${Math.floor(maxBytes / 1024 / 1024)} MiB`);
}

/** Returns undefined for a text beyond the longest string. */
function stringify(result: unknown): string | undefined {
  try {
    return JSON.stringify(result);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

function describeError(error: unknown): Report {
  if (error instanceof DocumentError)
    return { type: 'refused', reason: error.reason, message: error.message, pointer: error.pointer };
  const message = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return { type: 'fault', message: message.slice(0, 4000) };
}
