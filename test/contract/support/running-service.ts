import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { DatabaseSync } from '@photostructure/sqlite';
import { loadServiceConfig, type ServiceConfig } from '../../../dist/service/config/service-config.js';
import { type RunningService, startService } from '../../../dist/service/serve.js';
import { type Answer, call, MULTIPART_TYPE, multipart, type Part } from './http.js';
import { startTestFleet } from './test-fleet.js';

/** Document program that misbehaves as its document says. */
export const HOSTILE_PROGRAM = fileURLToPath(new URL('./hostile-process.mjs', import.meta.url));

export interface TestService {
  service: RunningService;
  url: string;
  key: string;
  dataDir: string;
  submit(file: Uint8Array | string, options?: SubmitOptions): Promise<Answer>;
  get(path: string): Promise<Answer>;
  /** Polls until the job has ended. */
  waitForJob(jobId: string, timeoutMs?: number): Promise<Answer>;
  /** Lists uploads and documents, as files and in the store. */
  listBlobs(): string[];
  /** Stops the service and removes its directory. */
  remove(): Promise<void>;
}

interface SubmitOptions {
  args?: unknown;
  function?: string;
  filename?: string;
  headers?: Record<string, string>;
}

export interface StartOptions {
  config?: Partial<ServiceConfig>;
  dataDir?: string;
  documentProgram?: string;
}

export function createDataDir(): string {
  return mkdtempSync(join(tmpdir(), 'ocr-service-test-'));
}

/**
 * Starts the service as `ocr serve` does, on its own port and directory. SERVICE=fleet starts two api processes and two workers
 * on a database in its place, and calls go to the api processes in turn: the answers must be the same.
 */
export async function startTestService(options: StartOptions = {}): Promise<TestService> {
  if (process.env.SERVICE === 'fleet' && options.dataDir === undefined) return await startTestFleet(options);
  const { config, dataDir, documentProgram } = options;
  const directory = dataDir ?? createDataDir();
  const { config: defaults } = loadServiceConfig({
    flags: { port: 0, dataDir: directory, workers: 2, ocrEngine: 'wasm' },
    env: {},
  });
  const service = await startService(
    { ...defaults, ...config },
    { logLevel: 'silent', ...(documentProgram === undefined ? {} : { documentProgram }) },
  );
  const key = readFileSync(join(directory, 'api-key'), 'utf8').trim();
  return {
    ...createClient(service.url, key),
    service,
    url: service.url,
    key,
    dataDir: directory,
    listBlobs: () => listBlobs(directory),
    remove: async () => {
      await service.stop();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

/** Lists uploads and documents of a data directory, as files and in its store. */
export function listBlobs(dataDir: string): string[] {
  const readingRoom = join(dataDir, 'reading');
  const rooms = readdirSync(readingRoom).map((name) => join(readingRoom, name));
  // Processes of a fleet have no documents of their own.
  const directories = [join(dataDir, 'incoming'), join(dataDir, 'documents')].filter((path) => existsSync(path));
  const names = directories.flatMap((path) => readdirSync(path));
  // Emptied copies are used again, and a process that is made ready reads a document of the service, so they do not count.
  const lent = rooms.flatMap((room) =>
    readdirSync(room).filter(
      (name) => name !== 'warm-up.pdf' && (!name.endsWith('.copy') || statSync(join(room, name)).size > 0),
    ),
  );
  return [...names, ...lent, ...listBlobRows(dataDir)];
}

function listBlobRows(dataDir: string): string[] {
  if (!existsSync(join(dataDir, 'ocr.db'))) return [];
  const db = new DatabaseSync(join(dataDir, 'ocr.db'), { timeout: 10_000 });
  try {
    return db
      .prepare('SELECT id FROM blob')
      .all()
      .map(({ id }) => String(id));
  } finally {
    db.close();
  }
}

/** Waits until no document is left: a job ends a moment before its document is removed. */
export async function waitForNoBlobs(dataDir: string, timeoutMs = 30_000): Promise<string[]> {
  for (const deadline = Date.now() + timeoutMs; ; await sleep(20)) {
    const blobs = listBlobs(dataDir);
    if (blobs.length === 0 || Date.now() > deadline) return blobs;
  }
}

export function createClient(url: string, key: string): Pick<TestService, 'submit' | 'get' | 'waitForJob'> {
  const get = (path: string) => call(url + path, { headers: { 'x-api-key': key } });
  return {
    submit: (file, { args, function: name = 'TEXT_EXTRACTION', filename = 'document', headers = {} } = {}) => {
      const parts: Part[] = [{ name: 'file', filename, type: 'application/octet-stream', content: file }];
      if (args !== undefined) parts.push({ name: 'args', content: JSON.stringify(args) });
      return call(`${url}/v1/ocr/${name}`, {
        method: 'POST',
        headers: { 'x-api-key': key, 'content-type': MULTIPART_TYPE, ...headers },
        body: multipart(parts),
      });
    },
    get,
    waitForJob: async (jobId, timeoutMs = 120_000) => {
      for (const deadline = Date.now() + timeoutMs; ; await sleep(50)) {
        const answer = await get(`/v1/ocr/jobs/${jobId}`);
        if (answer.status !== 200 || ['completed', 'failed'].includes(answer.json.status)) return answer;
        if (Date.now() > deadline) throw new Error(`job ${jobId} did not end: ${answer.text}`);
      }
    },
  };
}
