import { parentPort } from 'node:worker_threads';
import type { WorkerAnswer, WorkerRequest } from './page-task.js';
import { recognisePage, releaseDocument } from './recognise-page.js';

// The recogniser prints diagnostics of its own; what a worker prints also keeps its process alive, unref() or not.
for (const method of ['log', 'info', 'warn', 'error'] as const) console[method] = () => undefined;

// One page at a time: the pool sends the next one when this one is answered.
parentPort?.on('message', async (request: WorkerRequest) => {
  if (request.kind === 'release') {
    releaseDocument();
    return;
  }
  parentPort?.postMessage(await answer(request.task));
});

async function answer(task: Parameters<typeof recognisePage>[0]): Promise<WorkerAnswer> {
  try {
    return { ok: true, page: await recognisePage(task) };
  } catch (error) {
    return { ok: false, message: error instanceof Error ? error.message : String(error) };
  }
}
