import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { appendFileSync, chownSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describeUnless } from './describe-unless.js';
import type { Machine } from './machines/machines.js';

/** A user that PostgreSQL and its pooler run as where the tests run as root, which they refuse. */
export const NOBODY = { uid: 65_534, gid: 65_534 };
/** An order of texts in which punctuation comes before letters, as most operators' databases have one. */
const LANGUAGE = ['--locale-provider=icu', '--icu-locale=en-US'];
const PATIENCE_MS = 60_000;

/** Directory of PostgreSQL's programs; undefined where it is not installed. */
const POSTGRES_PROGRAMS = findPrograms();
const NO_POSTGRES = 'PostgreSQL is not installed (Debian: postgresql)';

function findPrograms(): string | undefined {
  const debian = '/usr/lib/postgresql';
  const versions = existsSync(debian) ? readdirSync(debian).sort((a, b) => Number(b) - Number(a)) : [];
  const directories = [
    ...versions.map((version) => join(debian, version, 'bin')),
    ...(process.env.PATH ?? '').split(delimiter),
  ];
  return directories.find(
    (directory) => existsSync(join(directory, 'initdb')) && existsSync(join(directory, 'postgres')),
  );
}

/** Runs a suite that needs PostgreSQL. Where it is not installed the suite is skipped, and its name says why. */
export function describeWithPostgres(name: string, suite: () => void): void {
  describeUnless(POSTGRES_PROGRAMS === undefined ? NO_POSTGRES : undefined, name, suite);
}

export interface PostgresOptions {
  /** True for a server that is killed: what it acknowledged is on the disk. */
  isDurable?: boolean;
  settings?: Record<string, string>;
  /** The machine that it runs on; others reach it at its address. */
  machine?: Machine;
}

/** A PostgreSQL server of a test's own; its socket is in its directory. It has a port on a machine of the tests alone. */
export interface TestPostgres {
  /** Directory of its socket. */
  directory: string;
  /** Creates an empty database, or one like that of `template`; returns its address. */
  createDatabase(template?: string): Promise<string>;
  start(): Promise<void>;
  /** `SIGINT` is a fast shutdown, `SIGKILL` of all its processes a crash. */
  stop(signal: 'SIGINT' | 'SIGKILL'): Promise<void>;
  /** Runs SQL on a database. */
  query(url: string, sql: string): Promise<Array<Record<string, unknown>>>;
  /** Ends the server and removes its files. */
  close(): Promise<void>;
}

/** Directory of a new cluster that each server of this process starts from a copy of: a copy takes a tenth of the time. */
let cluster: string | undefined;

function createDirectory(as: Partial<typeof NOBODY>): string {
  const directory = mkdtempSync(join(tmpdir(), 'pg-'));
  if (as.uid !== undefined) chownSync(directory, NOBODY.uid, NOBODY.gid);
  return directory;
}

function createCluster(programs: string, as: Partial<typeof NOBODY>): string {
  const directory = createDirectory(as);
  process.once('exit', () => rmSync(directory, { recursive: true, force: true }));
  const data = join(directory, 'data');
  const locale = ['-E', 'UTF8', '--locale=C.UTF-8', ...LANGUAGE];
  execFileSync(
    join(programs, 'initdb'),
    ['-D', data, '-U', 'ocr', '-A', 'trust', ...locale, '--no-sync', '--no-instructions'],
    { ...as, cwd: directory, env: { PATH: process.env.PATH, LC_ALL: 'C.UTF-8' }, stdio: 'ignore' },
  );
  return data;
}

export async function startPostgres({
  isDurable = false,
  settings = {},
  machine,
}: PostgresOptions = {}): Promise<TestPostgres> {
  const programs = POSTGRES_PROGRAMS;
  if (programs === undefined) throw new Error(NO_POSTGRES);
  const as = process.getuid?.() === 0 ? NOBODY : {};
  const directory = createDirectory(as);
  const data = join(directory, 'data');
  const options = { ...as, cwd: directory, env: { PATH: process.env.PATH, LC_ALL: 'C.UTF-8' } };
  cluster ??= createCluster(programs, as);
  execFileSync('cp', ['-a', cluster, data], options);
  const safety: Record<string, string> = isDurable ? {} : { fsync: 'off', full_page_writes: 'off' };
  if (machine !== undefined) appendFileSync(join(data, 'pg_hba.conf'), 'host all all samenet trust\n');
  const all = {
    listen_addresses: machine?.address ?? '',
    unix_socket_directories: directory,
    max_connections: '200',
    shared_buffers: '64MB',
    ...safety,
    ...settings,
  };
  const flags = Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  let server: ChildProcess | undefined;
  let databases = 0;
  const urlOf = (database: string) => `postgresql://ocr@${encodeURIComponent(directory)}/${database}`;

  async function start(): Promise<void> {
    let log = '';
    // Root alone may enter a machine.
    const run =
      machine === undefined
        ? []
        : [...machine.run, 'setpriv', `--reuid=${NOBODY.uid}`, `--regid=${NOBODY.gid}`, '--clear-groups'];
    const [program = '', ...words] = [...run, join(programs as string, 'postgres'), '-D', data, ...flags];
    const child = spawn(program, words, {
      ...(machine === undefined ? options : { cwd: directory, env: options.env }),
      detached: true,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      log = (log + text).slice(-20_000);
    });
    server = child;
    const deadline = Date.now() + PATIENCE_MS;
    while (!(await canConnect(urlOf('postgres')))) {
      if (child.exitCode !== null || Date.now() > deadline) throw new Error(`PostgreSQL did not start:\n${log}`);
      await sleep(20);
    }
  }

  async function stop(signal: 'SIGINT' | 'SIGKILL'): Promise<void> {
    const child = server;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const ended = new Promise((resolve) => child.once('exit', resolve));
    if (signal === 'SIGKILL') await killAll(child.pid as number);
    else child.kill(signal);
    await ended;
    server = undefined;
  }

  await start().catch(async (error: unknown) => {
    await stop('SIGINT');
    throw error;
  });
  return {
    directory,
    query: async (url, sql) => {
      const client = await connect(url);
      try {
        return (await client.query<Record<string, unknown>>(sql)).rows;
      } finally {
        await client.end();
      }
    },
    createDatabase: async (template = urlOf('template1')) => {
      const name = `test_${++databases}`;
      const client = await connect(urlOf('postgres'));
      await client.query(`CREATE DATABASE ${name} TEMPLATE ${template.slice(template.lastIndexOf('/') + 1)}`);
      await client.end();
      return urlOf(name);
    },
    start,
    stop,
    close: async () => {
      await stop('SIGINT');
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

/** Kills a server with its backends, which are sessions of their own, and waits until none holds the shared memory any more. */
async function killAll(postmaster: number): Promise<void> {
  const children = `/proc/${postmaster}/task/${postmaster}/children`;
  const backends = existsSync(children)
    ? readFileSync(children, 'utf8').trim().split(' ').filter(Boolean).map(Number)
    : [];
  for (const pid of [postmaster, ...backends]) isAlive(pid, 'SIGKILL');
  while (backends.some((pid) => isAlive(pid))) await sleep(10);
}

/** False for a process that does not exist; else it gets the signal, if any. */
function isAlive(pid: number, signal: NodeJS.Signals | 0 = 0): boolean {
  try {
    return process.kill(pid, signal);
  } catch {
    return false;
  }
}

async function connect(connectionString: string) {
  const { default: pg } = await import('pg');
  const client = new pg.Client({ connectionString });
  client.on('error', () => {});
  await client.connect();
  return client;
}

async function canConnect(url: string): Promise<boolean> {
  try {
    await (await connect(url)).end();
    return true;
  } catch {
    return false;
  }
}
