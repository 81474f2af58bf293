import { randomBytes, randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { findPlanOf } from '../../store/plans.js';
import { createChanges } from '../changes/changes.js';
import { noteQueueChanges } from '../changes/note-queue-changes.js';
import type { ServiceRecognition } from '../config/recognition.js';
import type { ServiceConfig } from '../config/service-config.js';
import type { OpenData } from '../data-directory/open-data.js';
import { boundPrivateMemory } from '../documents/confine.js';
import type { SystemConfinement } from '../documents/confinement/find-confinement.js';
import { createDocumentPool, type DocumentPool, type PoolOptions } from '../documents/pool.js';
import { DOCUMENT_PROGRAM } from '../documents/process-handle.js';
import { makeWarmUpTask } from '../documents/warm-up.js';
import { createAnswerBudget } from '../http/answer-budget.js';
import { createAccessCache } from '../intake/access-cache.js';
import { createRateCounter, createSharedRateCounter } from '../intake/rates.js';
import { createJobRunner } from '../jobs/job-runner.js';
import { countSlots } from '../jobs/running-slots.js';
import type { Log } from '../log.js';
import type { Activity } from '../monitoring/activity.js';
import { createMetrics } from '../monitoring/metrics.js';
import { createReadiness } from '../monitoring/readiness.js';
import { createRequestLog } from '../monitoring/request-log.js';
import { createCountDeaths } from '../page-counts/count-deaths.js';
import { CounterTurns } from '../page-counts/counter-turns.js';
import { createPageCounter, limitCounterMemory, type PageCounter } from '../page-counts/page-counter.js';
import type { ServiceComponents } from '../service-components.js';
import { NO_SENDER, startWebhookSender } from '../webhooks/sender.js';
import { readVersion } from './read-version.js';

const RECYCLE_AFTER_DOCUMENTS = 1_000;
const RECYCLE_AT_BYTES = 768 * 1024 * 1024;
const PROCESS_IDLE_MS = 300_000;
/** Time of a document after which a process is made ready for others. Most documents are done before. */
const READY_AFTER_MS = 1_000;
const COUNTER_IDLE_MS = 60_000;

export interface ComponentsOptions {
  config: ServiceConfig;
  data: OpenData;
  recognition: ServiceRecognition;
  confinement: SystemConfinement;
  /** Program of the document processes for tests, which may write files. */
  documentProgram: string | undefined;
  log: Log;
}

/** Creates the components of a service that does not listen yet. Webhook deliveries continue from here. */
export async function createServiceComponents(options: ComponentsOptions): Promise<ServiceComponents> {
  const { config, data, recognition, confinement, log } = options;
  const { store, blobs, vault, box } = data;
  const changes = createChanges(store);
  const queue = noteQueueChanges(data.queue, changes);
  const version = await readVersion();
  const metrics = createMetrics();
  const activity: Activity = { isReady: false, isStopping: false, openRequests: 0, lastEndedAtMs: performance.now() };
  const webhooks =
    config.role === 'worker'
      ? NO_SENDER
      : await startWebhookSender({ store, box, config, version, log, onAttempt: changes.note });
  const access = createAccessCache(store, config.keyCacheMs, log);
  store.bell.listen('access', access.clear);
  const pools = createPools(options);
  const pageCounter = createCounter(options, pools.pageCounters);
  const jobs = createJobRunner({
    config,
    queue,
    blobs,
    vault,
    recognition,
    pool: pools.pool,
    pageCounter,
    bell: store.bell,
    findPlan: (organisationId) => findPlanOf(store, organisationId),
    log,
    onJobEnded: () => {
      activity.lastEndedAtMs = performance.now();
      webhooks.wake();
      store.bell.ring('webhook');
    },
    onRun: metrics.noteDocument,
  });
  return {
    config,
    version,
    instanceId: randomUUID(),
    proofKey: randomBytes(32).toString('base64url'),
    store,
    access,
    rates: store.isShared
      ? createSharedRateCounter(store, config.rateWindowMs)
      : createRateCounter(config.rateWindowMs),
    answers: createAnswerBudget(config.answerMemoryBytes),
    queue,
    blobs,
    vault,
    box,
    isolation: confinement.isolation,
    ...pools,
    pageCounter,
    jobs,
    recognition,
    webhooks,
    requests: createRequestLog(store, log, changes.note),
    changes,
    metrics,
    readiness: createReadiness({ activity, store, blobs, jobs, log }),
    log,
    activity,
  };
}

/** Twice as many as workers, since one organisation alone has half of them and must keep all workers busy. */
function countCounters({ workers }: ServiceConfig): number {
  return 2 * Math.max(2, workers);
}

function createCounter({ config, log }: ComponentsOptions, counters: DocumentPool): PageCounter {
  const deaths = createCountDeaths();
  const turns = new CounterTurns({ size: countCounters(config), isSlowed: deaths.isSlowed });
  return createPageCounter({ config, counters, turns, deaths, log });
}

/** Creates the processes that read documents, and separate ones that count pages while callers wait. None starts yet. */
function createPools({
  config,
  data: { blobs },
  recognition,
  confinement: system,
  documentProgram,
}: ComponentsOptions): Pick<ServiceComponents, 'pool' | 'pageCounters'> {
  const confine = (documentBytes: number): PoolOptions['confinement'] => ({
    system,
    memoryBytes: boundPrivateMemory(documentBytes),
    mayWrite: documentProgram !== undefined,
  });
  const create = (options: Omit<PoolOptions, 'program' | 'recycleAfterTasks' | 'recycleAtBytes'>): DocumentPool =>
    createDocumentPool({
      ...options,
      program: documentProgram ?? DOCUMENT_PROGRAM,
      recycleAfterTasks: RECYCLE_AFTER_DOCUMENTS,
      recycleAtBytes: RECYCLE_AT_BYTES,
    });
  return {
    pool: create({
      taskType: 'run',
      confinement: { ...confine(config.documentMemoryBytes), mayStartPrograms: recognition.native !== undefined },
      room: join(blobs.readingRoom, 'run-'),
      size: countSlots(config.workers),
      memory: { maxBytes: config.workers * config.documentMemoryBytes, safeProcesses: config.workers },
      readyAfterMs: READY_AFTER_MS,
      // A program for tests leaves marks of every task.
      ...(documentProgram === undefined
        ? { makeWarmUpTask: (directory) => makeWarmUpTask(directory, recognition.native) }
        : {}),
      keepWarm: 0,
      idleMs: PROCESS_IDLE_MS,
    }),
    pageCounters: create({
      taskType: 'count-pages',
      confinement: confine(limitCounterMemory(config)),
      room: join(blobs.readingRoom, 'count-'),
      size: countCounters(config),
      keepWarm: 1,
      idleMs: COUNTER_IDLE_MS,
    }),
  };
}
