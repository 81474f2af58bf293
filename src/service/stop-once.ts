import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import type { Parts } from './parts.js';

const ANSWER_TIMEOUT_MS = 30_000;
const LOOK_EVERY_MS = 10;

/**
 * The graceful end: not ready → no new documents → calls under way are answered (30 s at most) → `steps`, in order.
 * Asked twice, it happens once.
 */
export function stopOnce(
  { activity, log }: Parts,
  app: FastifyInstance,
  steps: ReadonlyArray<() => unknown>,
): { stop(): Promise<void>; stopped: Promise<void> } {
  let resolve = () => {};
  const stopped = new Promise<void>((done) => {
    resolve = done;
  });
  let isAsked = false;

  async function end(): Promise<void> {
    activity.isReady = false;
    activity.isStopping = true;
    const closed = app.close();
    const deadline = Date.now() + ANSWER_TIMEOUT_MS;
    while (activity.openRequests > 0 && Date.now() < deadline) await sleep(LOOK_EVERY_MS);
    app.server.closeAllConnections();
    await closed.catch(() => {});
    for (const step of steps) {
      try {
        await step();
      } catch (error) {
        log.error({ reason: String(error) }, 'a step of stopping failed');
      }
    }
    log.info('stopped');
    resolve();
  }

  return {
    stop: () => {
      if (!isAsked) {
        isAsked = true;
        void end();
      }
      return stopped;
    },
    stopped,
  };
}
