/** The program of a text worker: it reads the text layers of a long PDF in parallel with the main thread. */
import { parentPort } from 'node:worker_threads';
import { chunksOf, openTextLayers } from './open-text-layers.js';
import { packPage, transferablesOf } from './packed-page.js';
import type { TextReport, TextTask } from './text-task.js';

const report = (message: TextReport, moved: ArrayBuffer[] = []) => parentPort?.postMessage(message, moved);

parentPort?.on('message', (task: TextTask) => {
  read(task).then(
    () => report({ kind: 'done' }),
    (error: unknown) => report({ kind: 'failed', message: error instanceof Error ? error.message : String(error) }),
  );
});

async function read({ path, password, findsPrint, numbers, chunkSize, next }: TextTask): Promise<void> {
  const layers = await openTextLayers(path, password, findsPrint);
  try {
    for (const { chunk, from, to } of chunksOf(numbers.length, chunkSize, next)) {
      const pages = [];
      for (const number of numbers.slice(from, to)) {
        const page = await layers.read(number);
        pages.push(page === undefined ? undefined : packPage(page));
      }
      report(
        { kind: 'chunk', chunk, pages },
        pages.flatMap((page) => (page === undefined ? [] : transferablesOf(page))),
      );
    }
  } finally {
    layers.close();
  }
}
