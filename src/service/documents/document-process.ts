/**
 * The program of a document process. Documents are worked on in a thread, so that this loop stays free to notice when
 * the service has died: then the whole process group ends, native helpers included. Its argument is the type of its tasks.
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
// Out of memory, or an error thrown outside of any task: the service sees the process end and counts it.
thread.on('error', () => process.exit(1));
thread.on('exit', () => process.exit(1));
process.on('message', (task: Task) => thread.postMessage(task));
process.on('disconnect', endGroup);
// The service may have died while this program was being loaded.
if (!process.connected) endGroup();
// On Linux the service looks for itself.
if (process.platform !== 'linux')
  setInterval(() => send({ type: 'usage', rssBytes: process.memoryUsage.rss() }), USAGE_INTERVAL_MS).unref();

function endGroup(): void {
  try {
    process.kill(-process.pid, 'SIGKILL');
  } catch {
    // Not the leader of a group (Windows).
  }
  process.exit(1);
}
