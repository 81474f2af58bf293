import { subscribe } from 'node:diagnostics_channel';
import type { Clock } from '../../src/contract/clock.js';

export interface SkippingClock extends Clock {
  /** Milliseconds of every sleep so far, in the order in which they began. */
  readonly sleepsMs: number[];
  /** Adds to the time at once, as if it had passed. */
  skip(ms: number): void;
  /** Moves the time of day, as somebody does who sets the machine's clock; time that passes is not touched. */
  setTimeOfDay(byMs: number): void;
}

interface Sleeper {
  deadlineMs: number;
  wake(): void;
}

/** Turns of the event loop without work before the clock skips: what continues after an answer or a file takes one or two; a busy machine gets more. */
const IDLE_TURNS = 40;
/** Resources whose callback is still to come; CloseReq closes a file. Sockets, timers and processes may stay open for ever. */
const WORK = /^(?:FSReq|(?:FileHandle)?CloseReq|GetAddrInfo|TCPConnect|ShutdownWrap|WriteWrap)/;

/** HTTP requests of this process that have no whole answer yet. */
const requestsUnderWay = new Set<unknown>();
const end = (message: unknown) => void requestsUnderWay.delete((message as { request: unknown }).request);
subscribe('undici:request:create', (message) => requestsUnderWay.add((message as { request: unknown }).request));
subscribe('undici:request:trailers', end);
subscribe('undici:request:error', end);

const isBusy = () =>
  requestsUnderWay.size > 0 || process.getActiveResourcesInfo().some((resource) => WORK.test(resource));

/**
 * A clock that nobody waits for: when this process has nothing left to do but sleep, the time jumps to the first deadline.
 * Requests, file accesses and real timers that are under way take the time that they take.
 */
export function createSkippingClock(): SkippingClock {
  const sleepers = new Set<Sleeper>();
  const sleepsMs: number[] = [];
  let skippedMs = 0;
  let setByMs = 0;
  let isWatching = false;
  const monotonicMs = () => performance.now() + skippedMs;

  function wakeFirst(): void {
    const [first] = [...sleepers].sort((a, b) => a.deadlineMs - b.deadlineMs);
    if (first === undefined) return;
    skippedMs += Math.max(0, first.deadlineMs - monotonicMs());
    sleepers.delete(first);
    first.wake();
  }

  const isLate = () => [...sleepers].some(({ deadlineMs }) => deadlineMs <= monotonicMs());

  async function watch(): Promise<void> {
    if (isWatching) return;
    isWatching = true;
    let idleTurns = 0;
    while (sleepers.size > 0) {
      const isWorking = isBusy();
      // A turn without work takes microseconds; work is waited for without turning all the time.
      await new Promise<void>((resolve) => (isWorking ? setTimeout(resolve, 1) : setImmediate(resolve)));
      idleTurns = isWorking ? 0 : idleTurns + 1;
      if (idleTurns < IDLE_TURNS && !isLate()) continue;
      wakeFirst();
      idleTurns = 0;
    }
    isWatching = false;
  }

  return {
    sleepsMs,
    skip(ms) {
      skippedMs += ms;
    },
    setTimeOfDay(byMs) {
      setByMs = byMs;
    },
    now: () => Math.floor(Date.now() + skippedMs + setByMs),
    monotonicMs,
    async sleep(ms, signal) {
      signal?.throwIfAborted();
      sleepsMs.push(ms);
      await new Promise<void>((resolve, reject) => {
        const stop = () => {
          sleepers.delete(sleeper);
          reject(signal?.reason as Error);
        };
        const sleeper = {
          deadlineMs: monotonicMs() + ms,
          wake() {
            signal?.removeEventListener('abort', stop);
            resolve();
          },
        };
        signal?.addEventListener('abort', stop, { once: true });
        sleepers.add(sleeper);
        void watch();
      });
    },
  };
}
