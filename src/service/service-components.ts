import type { Blobs } from '../store/blobs.js';
import type { Queue } from '../store/queue.js';
import type { Store } from '../store/store.js';
import type { ServiceRecognition } from './config/recognition.js';
import type { ServiceConfig } from './config/service-config.js';
import type { Isolation } from './documents/isolation.js';
import type { DocumentPool } from './documents/pool.js';
import type { AnswerBudget } from './http/answer-budget.js';
import type { AccessCache } from './intake/access-cache.js';
import type { RateCounter } from './intake/rates.js';
import type { JobRunner } from './jobs/job-runner.js';
import type { Log } from './log.js';
import type { Activity } from './monitoring/activity.js';
import type { Metrics } from './monitoring/metrics.js';
import type { Readiness } from './monitoring/readiness.js';
import type { RequestLog } from './monitoring/request-log.js';
import type { ArgsVault } from './secrets/args-vault.js';
import type { WebhookSender } from './webhooks/sender.js';

/** What a running service is made of; routes and the intake are given it. */
export interface ServiceComponents {
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
