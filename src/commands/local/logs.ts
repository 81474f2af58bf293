import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { Context } from '../../context.js';
import { OcrError } from '../../contract/ocr-error.js';
import { makeVisible } from '../../contract/visible.js';
import { readTail, serviceLogPath } from '../../local/service-log.js';

export interface LogsOptions {
  follow?: boolean;
  /** Number of lines from the end. */
  lines?: number;
}

const DEFAULT_LINES = 100;
const POLL_INTERVAL_MS = 250;

/** Prints the log of the service on this machine; with `follow`, until the command is interrupted. */
export async function logs(context: Context, { follow = false, lines = DEFAULT_LINES }: LogsOptions): Promise<void> {
  const path = serviceLogPath((await context.directories()).dataDir);
  let tail: Awaited<ReturnType<typeof readTail>>;
  try {
    tail = await readTail(path, lines);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    throw new OcrError('FILE_NOT_FOUND', `There is no log yet: ${path}`, { hint: 'ocr local start' });
  }
  const { text } = tail;
  await context.output.text(context.io.stdout.isTerminal ? makeVisible(text) : text);
  if (follow) await followLog(context, path, tail.endByte);
}

async function followLog(context: Context, path: string, startByte: number): Promise<void> {
  const { io, output, clock, signal } = context;
  const decoder = new TextDecoder();
  let position = startByte;
  context.endWithReader();
  while (!io.stdout.isClosed) {
    await clock.sleep(POLL_INTERVAL_MS, signal);
    // A rotated log is missing until the next service writes a new one.
    const size = (await stat(path).catch(() => undefined))?.size ?? 0;
    if (size < position) position = 0;
    if (size === position) continue;
    for await (const chunk of createReadStream(path, { start: position, end: size - 1 })) {
      // The decoder keeps a character that a chunk cuts for the next one.
      await output.text(io.stdout.isTerminal ? makeVisible(decoder.decode(chunk as Buffer, { stream: true })) : chunk);
    }
    position = size;
  }
}
