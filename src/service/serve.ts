import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import type { OcrError } from '../contract/ocr-error.js';
import { chooseRecognition } from './config/recognition.js';
import type { ServiceConfig } from './config/service-config.js';
import { startCleanUp } from './data-directory/clean-up.js';
import { announceService, cannotServe, takeDataDirectory, withdrawService } from './data-directory/data-directory.js';
import { openData } from './data-directory/open-data.js';
import { findConfinement } from './documents/confinement/find-confinement.js';
import { describeLacks } from './documents/confinement/isolation.js';
import { createLog } from './log.js';
import type { Activity } from './monitoring/activity.js';
import { startPresence } from './monitoring/presence.js';
import type { ServiceComponents } from './service-components.js';
import { createServiceComponents } from './start/create-components.js';
import { createServer } from './start/create-server.js';
import { fromThisMachine, listen } from './start/listen.js';
import { watchIdleness } from './stop/idle-exit.js';
import { createShutdownSequence } from './stop/shutdown-sequence.js';
import { watchDirectory } from './stop/watch-directory.js';
import { watchStore } from './stop/watch-store.js';

export interface RunningService {
  /** URL of the service: `http://127.0.0.1:4077`. */
  url: string;
  pid: number;
  dataDir: string;
  /** Random id of this start. */
  instanceId: string;
  /** Stops taking documents, answers open calls and ends the document processes. Unfinished jobs wait for the next start. */
  stop(): Promise<void>;
  /** Resolves when the service has stopped for any reason. */
  stopped: Promise<void>;
  /** The fault that stopped the service, if any. */
  fault: OcrError | undefined;
}

export interface ServiceOptions {
  /** Program of the document processes for tests, which may write files. */
  documentProgram?: string;
  /** Log level that overrides the setting. */
  logLevel?: string;
  /** Aborted to end a start that waits for its database. */
  signal?: AbortSignal;
  /** Warnings to log at the start. */
  warnings?: readonly string[];
}

/** Time that stopping waits for open calls. */
const ANSWER_TIMEOUT_MS = 30_000;
/** The same after a failure of the store: only refusals can be answered. */
const REFUSAL_TIMEOUT_MS = 1_000;
const LOOK_EVERY_MS = 10;

/**
 * Starts the service on its data directory and listens.
 * @throws OcrError DATA_DIR_LOCKED, DATA_DIR_UNWRITABLE, DATA_DIR_INCOMPATIBLE, PORT_TAKEN, CONFIG_INVALID
 */
export async function startService(config: ServiceConfig, options: ServiceOptions = {}): Promise<RunningService> {
  const log = createLog(options.logLevel ?? config.logLevel);
  const { dataDir } = config;
  const recognition = await chooseRecognition(config.ocrEngine, process.env);
  const ending = createShutdownSequence(log);
  let answerTimeoutMs = ANSWER_TIMEOUT_MS;
  try {
    const lock = await takeDataDirectory(dataDir);
    ending.add(() => lock.release());
    const programs = recognition.native === undefined ? [] : [recognition.native.program];
    const confining = findConfinement({ dataDir, programs });
    // Reported below, unless the data cannot be opened either.
    confining.catch(() => {});
    const data = await openData(config, log, options.signal);
    const { store, released, leftovers } = data;
    ending.add(() => store.close());
    ending.add(data.closeBlobs);
    const confinement = await confining.catch((error: unknown) => {
      throw cannotServe(dataDir, error);
    });
    const { documentProgram } = options;
    const components = await createServiceComponents({ config, data, recognition, confinement, documentProgram, log });
    const { instanceId, activity } = components;
    ending.add(() => components.requests.flush());
    ending.add(() => withdrawService(dataDir, instanceId));
    ending.add(() => Promise.all([components.jobs.stop(), components.pageCounters.stop(), components.webhooks.stop()]));
    let url: string | undefined;
    const stopped = ending.ended.then(() => {
      if (url !== undefined) log.info('stopped');
    });
    const stop = (): Promise<void> => {
      activity.isReady = false;
      activity.isStopping = true;
      void ending.run();
      return stopped;
    };
    const app = createServer(components, stop);
    url = await listen(app, config);
    ending.add(() => closeServer(app, activity, answerTimeoutMs));
    await announce(components, fromThisMachine(url));
    activity.isReady = true;
    if (config.role !== 'worker') components.pageCounters.warm();
    if (config.role !== 'api') components.pool.warm();
    components.jobs.wake();
    ending.add(startPresence(components));
    ending.add(startCleanUp(data, config, log));
    ending.add(watchIdleness(components, stop));
    const running: RunningService = { url, pid: process.pid, dataDir, instanceId, stop, stopped, fault: undefined };
    const fail = (fault: OcrError) => {
      running.fault = fault;
      return stop();
    };
    ending.add(watchDirectory(components, fail));
    watchStore(components, (fault) => {
      answerTimeoutMs = REFUSAL_TIMEOUT_MS;
      return fail(fault);
    });
    for (const warning of [...(options.warnings ?? []), ...describeLacks(confinement.isolation, confinement.failures)])
      log.warn(warning);
    const facts = { url, pid: process.pid, version: components.version, dataDir, recogniser: recognition.engine };
    log.info({ ...facts, released, leftovers }, 'listening');
    return running;
  } catch (error) {
    await ending.run();
    throw error;
  }
}

async function announce({ config, version, instanceId, proofKey }: ServiceComponents, url: string): Promise<void> {
  await announceService(config.dataDir, {
    url,
    pid: process.pid,
    version,
    instanceId,
    proofKey,
    startedAt: new Date().toISOString(),
    ...(config.publicUrl === undefined ? {} : { publicUrl: config.publicUrl }),
    ...(config.role === 'worker' ? { isWorker: true } : {}),
    stopsWhenIdle: config.idleExitMs !== undefined,
  });
}

/** Refuses new calls and answers the open ones, within `timeoutMs`. */
async function closeServer(app: FastifyInstance, activity: Activity, timeoutMs: number): Promise<void> {
  const closed = app.close();
  const deadline = performance.now() + timeoutMs;
  while (activity.openRequests > 0 && performance.now() < deadline) await sleep(LOOK_EVERY_MS);
  app.server.closeAllConnections();
  await closed.catch(() => {});
}
