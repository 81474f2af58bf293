import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { onTestFinished } from 'vitest';
import { createClient } from '../contract/support/running-service.js';
import { examples } from '../fixtures/manifest.js';
import { CA_FILE } from './certificates.js';
import { runInProcess } from './run-in-process.js';
import { type Serving, startServe } from './serve.js';
import { createHome, type TemporaryHome } from './temporary-home.js';

interface Endpoint {
  endpointId: string;
  secret: string;
  url: string;
}

/** `ocr serve` that may deliver to loopback, and `ocr admin webhooks` beside it; for one test. */
export interface WebhookService {
  home: TemporaryHome;
  /** The organisation of its first key, which has webhooks. */
  orgId: string;
  /** A client of the running service; a restart needs another one. */
  client(): ReturnType<typeof createClient>;
  serving(): Serving;
  /** Ends it by force and waits for the end. */
  kill(): Promise<void>;
  start(): Promise<void>;
  /** Runs an `ocr admin webhooks` command and parses its JSON. @throws Error with its output when it fails */
  // biome-ignore lint/suspicious/noExplicitAny: what is printed is held against its schema by runInProcess
  admin(...args: string[]): Promise<any>;
  add(url: string, ...more: string[]): Promise<Endpoint>;
  /** Statuses of the deliveries in the store at this moment: `pending`, `delivered`, `dead`. Cheap enough to poll. */
  statuses(): string[];
  /** All that the store knows of. */
  countAttempts(): number;
  /** Everything that was logged, by every process. */
  log(): string;
}

/** Fast enough for a test, and far enough apart to be told from each other. */
export const RETRY_DELAYS_MS = [100, 200, 300, 400, 500];

const REPORT = readFileSync(examples.report.path);
let unique = 0;
/** A document that was not seen before: what stands behind the end of a PDF does not matter. */
export const newReport = () => Buffer.concat([REPORT, Buffer.from(`\n% ${unique++} ${Math.random()}\n`)]);

function query({ dataDir }: TemporaryHome, sql: string): Array<Record<string, unknown>> {
  const db = new DatabaseSync(join(dataDir, 'ocr.db'), { timeout: 10_000 });
  try {
    return db.prepare(sql).all() as Array<Record<string, unknown>>;
  } finally {
    db.close();
  }
}

export async function startWebhookService(env: Record<string, string> = {}): Promise<WebhookService> {
  const home = createHome();
  const settings = {
    NODE_EXTRA_CA_CERTS: CA_FILE,
    OCR_SERVE_WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8',
    OCR_SERVE_WEBHOOK_RETRY_DELAYS_MS: RETRY_DELAYS_MS.join(','),
    ...env,
  };
  const started: Serving[] = [];
  const serving = () => started.at(-1) as Serving;
  const start = async () => void started.push(await startServe(home, ['--port', '0', '--workers', '1'], settings));
  const admin = async (...args: string[]) => {
    const run = await runInProcess(['admin', ...args, '--json'], { home, env: settings });
    if (run.exitCode !== 0) throw new Error(run.stdout + run.stderr);
    return JSON.parse(run.stdout);
  };
  await start();
  onTestFinished(async () => {
    await serving().stop();
    home.remove();
  });
  const [{ orgId }] = await admin('orgs', 'list');
  return {
    home,
    orgId,
    client: () => createClient(serving().url, readFileSync(join(home.dataDir, 'api-key'), 'utf8').trim()),
    serving,
    start,
    kill: async () => {
      serving().signal('SIGKILL');
      await serving().ended;
    },
    admin: async (...args) => await admin('webhooks', ...args),
    add: async (url, ...more) => await admin('webhooks', 'add', '--org', orgId, '--url', url, ...more),
    statuses: () => query(home, 'SELECT status FROM webhook_delivery').map(({ status }) => String(status)),
    countAttempts: () => query(home, 'SELECT number FROM webhook_attempt').length,
    log: () => started.map((one) => one.log()).join(''),
  };
}
