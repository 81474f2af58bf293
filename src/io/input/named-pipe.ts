import { constants, openSync } from 'node:fs';
import { Socket } from 'node:net';
import { addAbortSignal, Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { sleep } from '../../contract/sleep.js';

// To open a pipe waits for its other end, in a thread that nothing ends, the end of the process neither: Ctrl-C would be
// without effect. So pipes are opened without waiting, and waited for here.
const POLL_INTERVAL_MS = 100;

/** @throws ErrnoException */
export function openPipeToRead(path: string): Socket {
  const fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  return new Socket({ fd, readable: true, writable: false });
}

/** To its end. @throws ErrnoException; the signal's reason */
export async function readPipe(path: string, signal: AbortSignal): Promise<Buffer> {
  const chunks: Buffer[] = [];
  try {
    for await (const chunk of addAbortSignal(signal, openPipeToRead(path))) chunks.push(chunk as Buffer);
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  }
  return Buffer.concat(chunks);
}

/** Waits for whoever reads it. @throws ErrnoException; the signal's reason */
export async function writePipe(path: string, content: string | Uint8Array, signal: AbortSignal): Promise<void> {
  try {
    const pipe = new Socket({ fd: await openPipeToWrite(path, signal), readable: false, writable: true });
    await pipeline(Readable.from([content]), pipe, { signal });
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  }
}

async function openPipeToWrite(path: string, signal: AbortSignal): Promise<number> {
  for (;;) {
    try {
      return openSync(path, constants.O_WRONLY | constants.O_NONBLOCK);
    } catch (error) {
      // Nobody reads it yet.
      if ((error as NodeJS.ErrnoException).code !== 'ENXIO') throw error;
    }
    await sleep(POLL_INTERVAL_MS, signal);
  }
}
