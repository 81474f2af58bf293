import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { createClient } from '../contract/support/running-service.js';
import type { Machine } from './machines/machines.js';
import { type PostgresOptions, startPostgres, type TestPostgres } from './postgres.js';
import { type CliRun, runCli } from './run-cli.js';
import { type Serving, startServe } from './serve.js';
import { createHome, type TemporaryHome } from './temporary-home.js';

/** Several processes of the service on one database. */
export interface Fleet {
  postgres: TestPostgres;
  databaseUrl: string;
  home: TemporaryHome;
  /** Runs `ocr admin` on the database. @throws where it fails */
  admin(...args: string[]): Promise<string>;
  run(...args: string[]): Promise<CliRun>;
  /** Starts one more process, in a data directory of its own. On a machine, its address is one that leads there. */
  serve(role: 'all' | 'api' | 'worker', env?: Record<string, string>, machine?: Machine): Promise<Serving>;
  /** Creates an organisation and a key of it. */
  createOrganisation(plan?: string): Promise<{ id: string; key: string }>;
  /** Kills every process and removes every file. */
  close(): Promise<void>;
}

/** Starts a database with the tables of the service; processes of it are started one by one. */
export async function startFleet(options: PostgresOptions = {}): Promise<Fleet> {
  const postgres = await startPostgres(options);
  const home = createHome();
  const databaseUrl = await postgres.createDatabase();
  const env = { OCR_SERVE_DATABASE_URL: databaseUrl, OCR_SERVE_SECRET_FILE: join(home.dir, 'secret') };
  const processes: Serving[] = [];
  const run = (...args: string[]) => runCli(args, { home, env });
  const admin = async (...args: string[]) => {
    const { exitCode, stdout, stderr } = await run('admin', ...args);
    if (exitCode !== 0) throw new Error(`ocr admin ${args.join(' ')} ended with ${exitCode}: ${stderr}`);
    return stdout.trim();
  };
  let started = 0;
  let organisations = 0;
  return {
    postgres,
    databaseUrl,
    home,
    admin,
    run,
    serve: async (role, more = {}, machine = undefined) => {
      const dataDir = join(home.dir, `process-${++started}`);
      const all = {
        ...env,
        OCR_SERVE_WORKERS: '2',
        // The doorbell tells what would be noticed only after this time.
        OCR_SERVE_KEY_CACHE_MS: '60000',
        ...more,
      };
      const serving = await startServe(home, ['--port', '0', '--role', role, '--data-dir', dataDir], all, machine?.run);
      processes.push(serving);
      if (machine === undefined) return serving;
      const port = await machine.reach(Number(new URL(serving.url).port));
      return { ...serving, url: `http://127.0.0.1:${port}` };
    },
    createOrganisation: async (plan = 'ENTERPRISE') => {
      const id = await admin('orgs', 'create', '--name', `Organisation ${++organisations}`, '--plan', plan);
      return { id, key: await admin('keys', 'create', '--org', id, '--name', 'test') };
    },
    close: async () => {
      for (const serving of processes) serving.signal('SIGKILL');
      await Promise.all(processes.map(({ ended }) => ended));
      await postgres.close();
      home.remove();
    },
  };
}

export const clientAt = ({ url }: Serving, key: string) => createClient(url, key);

/** Starts one that ends with its test. */
export async function startOwnFleet(options: PostgresOptions = {}): Promise<Fleet> {
  const fleet = await startFleet(options);
  onTestFinished(() => fleet.close());
  return fleet;
}
