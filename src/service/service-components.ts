import type { Blobs } from '../store/blobs/blobs.js';
import type { Queue } from '../store/queue.js';
import type { Store } from '../store/store.js';
import type { Changes } from './changes/changes.js';
import type { ServiceRecognition } from './config/recognition.js';
import type { ServiceConfig } from './config/service-config.js';
import type { Isolation } from './documents/confinement/isolation.js';
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
import type { PageCounter } from './page-counts/page-counter.js';
import type { ArgsVault } from './secrets/args-vault.js';
import type { SecretBox } from './secrets/secret-box.js';
import type { WebhookSender } from './webhooks/sender.js';

/** The components of a running service. Routes and the intake receive them. */
export interface ServiceComponents {
  config: ServiceConfig;
  version: string;
  instanceId: string;
  /** Proves the identity of this service to readers of service.json. */
  proofKey: string;
  store: Store;
  access: AccessCache;
  rates: RateCounter;
  answers: AnswerBudget;
  queue: Queue;
  blobs: Blobs;
  vault: ArgsVault;
  /** Seals the secrets of webhooks. */
  box: SecretBox;
  isolation: Isolation;
  /** Processes that count pages at intake, apart from those that read documents for minutes. */
  pageCounters: DocumentPool;
  pageCounter: PageCounter;
  /** Processes that read documents. */
  pool: DocumentPool;
  jobs: JobRunner;
  recognition: ServiceRecognition;
  webhooks: WebhookSender;
  requests: RequestLog;
  /** Hints for pages that somebody looks at. */
  changes: Changes;
  metrics: Metrics;
  readiness: Readiness;
  log: Log;
  activity: Activity;
}
