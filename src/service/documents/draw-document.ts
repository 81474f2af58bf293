import { copyFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { PageToDraw } from '../../engine/products/page-pictures/draw-pages.js';
import { boundPrivateMemory } from './confine.js';
import { findConfinement } from './confinement/find-confinement.js';
import { DOCUMENT_PROGRAM, startDocumentProcess } from './process-handle.js';
import type { DrawnPage } from './protocol.js';

export type { DrawnPage };

const MIB = 1024 * 1024;
/** The same as documentMemoryBytes and maxPixels of a service by default. */
const MEMORY_BYTES = 2048 * MIB;
const MAX_PIXELS = 100_000_000;
const LIMITS = { timeoutMs: 300_000, idleTimeoutMs: 60_000, memoryBytes: MEMORY_BYTES };

export interface DrawRequest {
  path: string;
  mimeType: string;
  password?: string;
  pages: readonly PageToDraw[];
  onProgress?: (done: number) => void;
  signal: AbortSignal;
}

/**
 * Draws pages of a document for a command, in a confined process of its own, as a service reads documents. Returns the reason
 * where it cannot. @throws the signal's reason; errors of the file system
 */
export async function drawDocument(request: DrawRequest): Promise<DrawnPage[] | { reason: string }> {
  const { path, onProgress = () => {}, signal, ...drawing } = request;
  const directory = mkdtempSync(join(tmpdir(), 'ocr-pictures-'));
  try {
    const system = await findConfinement({ dataDir: directory, programs: [] });
    const room = join(directory, 'room');
    mkdirSync(room, { mode: 0o700 });
    const copy = join(room, 'document');
    copyFileSync(path, copy);
    signal.throwIfAborted();
    const process = startDocumentProcess(DOCUMENT_PROGRAM, 'draw-pages', {
      system,
      memoryBytes: boundPrivateMemory(MEMORY_BYTES),
      room,
      mayWrite: false,
    });
    const kill = () => void process.kill();
    signal.addEventListener('abort', kill);
    try {
      const task = { type: 'draw-pages', path: copy, ...drawing, maxPixels: MAX_PIXELS } as const;
      const outcome = await process.perform(task, LIMITS, onProgress);
      signal.throwIfAborted();
      if (outcome.type === 'done') return JSON.parse(outcome.body) as DrawnPage[];
      return { reason: 'message' in outcome ? (outcome.message.split('\n')[0] ?? '') : outcome.type };
    } finally {
      signal.removeEventListener('abort', kill);
      await process.kill();
    }
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}
