import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { Context } from '../../context.js';
import { OcrError } from '../../contract/ocr-error.js';
import { readTail, serviceLogPath } from '../../local/service-log.js';

export interface LogsOptions {
  follow?: boolean;
  /** How many of the last lines. */
  lines?: number;
}

const DEFAULT_LINES = 100;
const LOOK_AGAIN_MS = 250;

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
  await context.output.text(tail.text);
  if (follow) await followLog(context, path, tail.endByte);
}

async function followLog(context: Context, path: string, startByte: number): Promise<void> {
  let position = startByte;
  while (!context.io.stdout.isClosed) {
    await context.clock.sleep(LOOK_AGAIN_MS, context.signal);
    const { size } = await stat(path);
    if (size < position) position = 0; // rotated
    if (size === position) continue;
    for await (const chunk of createReadStream(path, { start: position, end: size - 1 })) {
      await context.output.text(chunk as Buffer);
    }
    position = size;
  }
}
