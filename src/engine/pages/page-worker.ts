import { parentPort } from 'node:worker_threads';
import type { RecognisedPage, WorkerAnswer, WorkerRequest } from './page-task.js';
import { recognisePage, releaseDocument } from './recognise-page.js';

// The recogniser prints diagnostics of its own; what a worker prints also keeps its process alive, unref() or not.
for (const method of ['log', 'info', 'warn', 'error'] as const) console[method] = () => undefined;

// One page at a time: the pool sends the next one when this one is answered.
parentPort?.on('message', async (request: WorkerRequest) => {
  if (request.kind === 'release') {
    releaseDocument();
    return;
  }
  parentPort?.postMessage(await answer(request));
});

/** What recognition started ends before the pool gives the page up, and with it this thread. */
const TIME_TO_END_MS = 500;

async function answer({ task, timeoutMs }: Extract<WorkerRequest, { kind: 'recognise' }>): Promise<WorkerAnswer> {
  try {
    const deadline = performance.now() + timeoutMs - TIME_TO_END_MS;
    const onInterim = (page: RecognisedPage) =>
      parentPort?.postMessage({ kind: 'interim', page } satisfies WorkerAnswer);
    return { kind: 'done', page: await recognisePage(task, deadline, onInterim) };
  } catch (error) {
    return { kind: 'failed', message: error instanceof Error ? error.message : String(error) };
  }
}
