/**
 * The program of a document process. A thread reads the documents, so that this event loop stays free to notice the death of
 * the service and to end the whole process group, native helpers included. Its argument is the type of its tasks.
 */
import { Worker } from 'node:worker_threads';
import { THREAD_CODE_MB } from '../../engine/workers/warm-workers.js';
import type { Report, Task } from './protocol.js';

const USAGE_INTERVAL_MS = 500;

const thread = new Worker(new URL('./document-thread.js', import.meta.url), {
  argv: process.argv.slice(2),
  resourceLimits: { codeRangeSizeMb: THREAD_CODE_MB },
});
const send = (message: Report) => {
  if (process.connected) process.send?.(message);
};

thread.on('message', send);
// Lack of memory, or an error outside of any task, ends the process: the service sees that and counts it.
thread.on('error', () => process.exit(1));
thread.on('exit', () => process.exit(1));
process.on('message', (task: Task) => thread.postMessage(task));
process.on('disconnect', endGroup);
// The service may have died while this program loaded.
if (!process.connected) endGroup();
// On Linux the service looks itself.
if (process.platform !== 'linux') setInterval(() => send(readUsage()), USAGE_INTERVAL_MS).unref();

function readUsage(): Report {
  const { user, system } = process.cpuUsage();
  return { type: 'usage', rssBytes: process.memoryUsage.rss(), cpuMs: (user + system) / 1000 };
}

function endGroup(): void {
  try {
    process.kill(-process.pid, 'SIGKILL');
  } catch {
    // Windows has no process groups.
  }
  process.exit(1);
}
