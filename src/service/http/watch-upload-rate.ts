import type { IncomingMessage } from 'node:http';

/**
 * Calls `onTooSlow` when fewer than `minRate` bytes a second arrived during a whole window. A window without reading on our
 * side does not count. Returns the function that ends the watch.
 */
export function watchUploadRate(
  request: IncomingMessage,
  minRate: number,
  windowMs: number,
  onTooSlow: () => void,
): () => void {
  let received = 0;
  let wasPaused = false;
  const count = (chunk: Buffer) => {
    received += chunk.length;
  };
  const pause = () => {
    wasPaused = true;
  };
  let judging: NodeJS.Immediate | undefined;
  const judge = () => {
    if (!wasPaused && !request.complete && received < (minRate * windowMs) / 1000) onTooSlow();
    received = 0;
    wasPaused = request.isPaused();
  };
  const timer = setInterval(() => {
    // After a busy event loop, timers fire before the bytes that arrived meanwhile are read.
    judging = setImmediate(judge);
  }, windowMs);
  request.on('data', count);
  request.on('pause', pause);
  return () => {
    clearInterval(timer);
    clearImmediate(judging);
    request.off('data', count);
    request.off('pause', pause);
  };
}
