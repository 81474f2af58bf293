import { randomBytes, randomUUID } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { OcrError } from '../contract/ocr-error.js';
import { type Blobs, createBlobs } from '../store/blobs.js';
import type { Queue } from '../store/queue.js';
import { createSqliteQueue } from '../store/sqlite-queue.js';
import { openStore, type Store } from '../store/store.js';
import { createAccessCache } from './access-cache.js';
import { removeLeftovers, startCleanUp } from './clean-up.js';
import type { ServiceConfig } from './config.js';
import {
  announceService,
  cannotWrite,
  explainUnusableStore,
  STORE_FILE_NAME,
  takeDataDirectory,
  withdrawService,
} from './data-directory.js';
import { describeLacks, findIsolation } from './documents/isolation.js';
import { createDocumentPool, DOCUMENT_PROGRAM, type DocumentPool, type PoolOptions } from './documents/pool.js';
import { ensureFirstKey } from './first-key.js';
import { createServer } from './http/create-server.js';
import { watchIdleness } from './idle-exit.js';
import { createRateCounter } from './intake/rates.js';
import { createJobRunner } from './jobs/job-runner.js';
import { createLog } from './log.js';
import { createMetrics } from './metrics.js';
import type { Activity, Parts } from './parts.js';
import { readVersion } from './read-version.js';
import { createReadiness } from './readiness.js';
import { chooseRecognition } from './recognition.js';
import { createRequestLog } from './request-log.js';
import { type ArgsVault, createArgsVault } from './sealed-args.js';
import { openSecretBox, type SecretBox } from './secret-box.js';
import { stopOnce } from './stop-once.js';
import { startWebhookSender } from './webhooks/sender.js';

export interface RunningService {
  /** Where it listens: `http://127.0.0.1:4077`. */
  url: string;
  pid: number;
  dataDir: string;
  /** New at every start. */
  instanceId: string;
  /** Takes no new documents, answers the calls under way, ends the document processes; unfinished jobs wait for the next start. */
  stop(): Promise<void>;
  /** Resolves when it has stopped, for whatever reason. */
  stopped: Promise<void>;
}

export interface ServiceOptions {
  /** Another program for the document processes: a test's, which may write files. */
  documentProgram?: string;
  /** Level of the log on standard error, where it is not the setting's. */
  logLevel?: string;
  /** Said in the log at the start. */
  warnings?: readonly string[];
}

/** Private memory of a process that has read nothing yet. */
const BASE_MEMORY_BYTES = 256 * 1024 * 1024;
const RECYCLE_AFTER_DOCUMENTS = 1_000;
const RECYCLE_AT_BYTES = 768 * 1024 * 1024;
const PROCESS_IDLE_MS = 300_000;
const COUNTER_IDLE_MS = 60_000;

/**
 * Starts the service on its data directory and listens.
 * @throws OcrError DATA_DIR_LOCKED, DATA_DIR_UNWRITABLE, DATA_DIR_INCOMPATIBLE, PORT_TAKEN, CONFIG_INVALID
 */
export async function startService(config: ServiceConfig, options: ServiceOptions = {}): Promise<RunningService> {
  const log = createLog(options.logLevel ?? config.logLevel);
  const { dataDir } = config;
  const [recognition, isolation] = await Promise.all([
    chooseRecognition(config.ocrEngine, process.env),
    findIsolation(),
  ]);
  const lock = await takeDataDirectory(dataDir);
  const undo: Array<() => unknown> = [() => lock.release()];
  try {
    const { store, queue, blobs, box, vault, released, leftovers } = await openData(dataDir);
    undo.push(() => store.close());
    const program = options.documentProgram ?? DOCUMENT_PROGRAM;
    const confinement: PoolOptions['confinement'] = {
      memoryBytes: config.documentMemoryBytes * 2 + BASE_MEMORY_BYTES,
      mayWrite: options.documentProgram !== undefined,
    };
    const readers = { ...confinement, mayStartPrograms: recognition.native !== undefined };
    const pool = createPool({
      program,
      confinement: readers,
      room: join(blobs.readingRoom, 'run-'),
      size: config.workers,
      keepWarm: 0,
      idleMs: PROCESS_IDLE_MS,
    });
    const pageCounters = createPool({
      program,
      confinement,
      room: join(blobs.readingRoom, 'count-'),
      size: Math.max(2, config.workers),
      keepWarm: 1,
      idleMs: COUNTER_IDLE_MS,
    });
    const activity: Activity = { isReady: false, isStopping: false, openRequests: 0, lastEndedAtMs: Date.now() };
    const version = await readVersion();
    const webhooks = await startWebhookSender({ store, box, config, version, log });
    undo.push(() => webhooks.stop());
    const noteEnd = () => {
      activity.lastEndedAtMs = Date.now();
      webhooks.wake();
    };
    const metrics = createMetrics();
    const jobs = createJobRunner({
      config,
      queue,
      blobs,
      vault,
      recognition,
      pool,
      log,
      onJobEnded: noteEnd,
      onRun: metrics.noteDocument,
    });
    const requests = createRequestLog(store, log);
    const instanceId = randomUUID();
    const proofKey = randomBytes(32).toString('base64url');
    const parts: Parts = {
      config,
      version,
      instanceId,
      proofKey,
      store,
      access: createAccessCache(store, config.keyCacheMs, log),
      rates: createRateCounter(config.rateWindowMs),
      queue,
      blobs,
      vault,
      isolation,
      pageCounters,
      pool,
      jobs,
      recognition,
      webhooks,
      requests,
      metrics,
      readiness: createReadiness({ activity, store, blobs, jobs, log }),
      log,
      activity,
    };
    const app = createServer(parts);
    undo.push(() => Promise.all([jobs.stop(), pageCounters.stop()]));
    const url = await listen(app, config);
    undo.push(() => app.close());
    const stopsWhenIdle = config.idleExitMs !== undefined;
    await announceService(dataDir, {
      url,
      pid: process.pid,
      version,
      instanceId,
      proofKey,
      startedAt: new Date().toISOString(),
      stopsWhenIdle,
    });
    activity.isReady = true;
    pageCounters.warm();
    pool.warm();
    jobs.wake();
    const stopCleanUp = startCleanUp(store, config, log);
    const { stop, stopped } = stopOnce(parts, app, [
      () => stopWatchingIdleness(),
      stopCleanUp,
      () => Promise.all([jobs.stop(), pageCounters.stop(), webhooks.stop()]),
      () => withdrawService(dataDir),
      () => requests.flush(),
      () => store.close(),
      () => lock.release(),
    ]);
    const stopWatchingIdleness = watchIdleness(parts, stop);
    for (const warning of [...(options.warnings ?? []), ...describeLacks(isolation)]) log.warn(warning);
    log.info(
      { url, pid: process.pid, version, dataDir, recogniser: recognition.engine, released, leftovers },
      'listening',
    );
    return { url, pid: process.pid, dataDir, instanceId, stop, stopped };
  } catch (error) {
    for (const step of undo.reverse()) {
      // What cannot be undone now must not hide why it had to be.
      try {
        await step();
      } catch (failure) {
        log.error({ reason: String(failure) }, 'a step of an interrupted start could not be undone');
      }
    }
    throw error;
  }
}

function createPool(options: Omit<PoolOptions, 'recycleAfterTasks' | 'recycleAtBytes'>): DocumentPool {
  return createDocumentPool({
    ...options,
    recycleAfterTasks: RECYCLE_AFTER_DOCUMENTS,
    recycleAtBytes: RECYCLE_AT_BYTES,
  });
}

interface OpenData {
  store: Store;
  queue: Queue;
  blobs: Blobs;
  box: SecretBox;
  vault: ArgsVault;
  /** Jobs of an earlier process that go on now, and files that it left. */
  released: number;
  leftovers: number;
}

async function openData(dataDir: string): Promise<OpenData> {
  const path = join(dataDir, STORE_FILE_NAME);
  let store: Store | undefined;
  try {
    store = await openStore(path);
    await ensureFirstKey(store, dataDir);
    const blobs = await createBlobs(dataDir, store);
    const box = await openSecretBox(dataDir);
    const vault = createArgsVault(box);
    const queue = createSqliteQueue(store);
    const released = await queue.releaseAll();
    return { store, queue, blobs, box, vault, released, leftovers: await removeLeftovers(queue, blobs) };
  } catch (error) {
    await store?.close().catch(() => {});
    throw explainUnusableStore(path, error) ?? cannotWrite(dataDir, error);
  }
}

async function listen(app: FastifyInstance, { host, port }: ServiceConfig): Promise<string> {
  try {
    await app.listen({ host, port });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new OcrError('PORT_TAKEN', `Cannot listen on ${host}:${port}: ${describeListenError(code) ?? message}`, {
      hint: isAddressMissing(code)
        ? 'choose an address of this machine: ocr serve --host 127.0.0.1, or 0.0.0.0 for all of them'
        : 'choose another port: ocr serve --port 0 takes a free one',
      cause: error,
    });
  }
  const { address, port: taken, family } = app.server.address() as AddressInfo;
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${taken}`;
}

function describeListenError(code: string | undefined): string | undefined {
  if (code === 'EADDRINUSE') return 'another program listens there';
  if (code === 'EACCES') return 'not allowed';
  return isAddressMissing(code) ? 'no such address on this machine' : undefined;
}

function isAddressMissing(code: string | undefined): boolean {
  return code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND';
}
