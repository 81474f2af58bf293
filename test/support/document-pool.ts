import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { closeIdleWorkers } from '../../dist/engine/workers/warm-workers.js';
import { findConfinement } from '../../dist/service/documents/confinement/find-confinement.js';
import { createDocumentPool, type DocumentPool } from '../../dist/service/documents/pool.js';
import { DOCUMENT_PROGRAM } from '../../dist/service/documents/process-handle.js';

/** Limits of the service for the documents of a test. */
export const DOCUMENT_LIMITS = {
  documentTimeoutMs: 120_000,
  documentIdleTimeoutMs: 60_000,
  documentMemoryBytes: 2 ** 31,
  maxPixels: 100_000_000,
};

/** Starts a pool of one confined process in a directory of its own; `close` ends it and removes the directory. */
export async function startDocumentPool(
  taskType: 'run' | 'draw-pages',
): Promise<{ pool: DocumentPool; directory: string; close(): Promise<void> }> {
  const directory = mkdtempSync(join(tmpdir(), 'ocr-pool-test-'));
  const pool = createDocumentPool({
    program: DOCUMENT_PROGRAM,
    taskType,
    confinement: {
      system: await findConfinement({ dataDir: directory, programs: [] }),
      memoryBytes: 2 ** 32,
      mayWrite: false,
    },
    ...{ size: 1, keepWarm: 0, idleMs: 60_000, recycleAfterTasks: 100, recycleAtBytes: 2 ** 40 },
    room: join(directory, 'room-'),
  });
  const close = async () => {
    await pool.stop();
    await closeIdleWorkers();
    rmSync(directory, { recursive: true, force: true });
  };
  return { pool, directory, close };
}
