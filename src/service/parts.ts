import type { Blobs } from '../store/blobs.js';
import type { Queue } from '../store/queue.js';
import type { Store } from '../store/store.js';
import type { AccessCache } from './access-cache.js';
import type { Activity } from './activity.js';
import type { ServiceConfig } from './config.js';
import type { Isolation } from './documents/isolation.js';
import type { DocumentPool } from './documents/pool.js';
import type { AnswerBudget } from './http/answer-budget.js';
import type { RateCounter } from './intake/rates.js';
import type { JobRunner } from './jobs/job-runner.js';
import type { Log } from './log.js';
import type { Metrics } from './metrics.js';
import type { Readiness } from './readiness.js';
import type { ServiceRecognition } from './recognition.js';
import type { RequestLog } from './request-log.js';
import type { ArgsVault } from './sealed-args.js';
import type { WebhookSender } from './webhooks/sender.js';

/** What a running service is made of; routes and the intake are given it. */
export interface Parts {
  config: ServiceConfig;
  version: string;
  /** See readEngineVersion: read when the service starts, so that it is that of the program that runs. */
  engineVersion: string;
  instanceId: string;
  /** Proves to who can read service.json that it is us who answer. */
  proofKey: string;
  store: Store;
  access: AccessCache;
  rates: RateCounter;
  answers: AnswerBudget;
  queue: Queue;
  blobs: Blobs;
  vault: ArgsVault;
  isolation: Isolation;
  /** Count pages at intake, apart from the processes that read documents for minutes. */
  pageCounters: DocumentPool;
  /** Read documents. */
  pool: DocumentPool;
  jobs: JobRunner;
  recognition: ServiceRecognition;
  webhooks: WebhookSender;
  requests: RequestLog;
  metrics: Metrics;
  readiness: Readiness;
  log: Log;
  activity: Activity;
}
