import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ContractServer, type ContractServerOptions, startContractServer } from './contract-server.js';
import { clockOf } from './run-in-process.js';
import { createHome, type TemporaryHome } from './temporary-home.js';

export interface ClientSetUp {
  home: TemporaryHome;
  /** Gives "text of" and what it was sent. */
  server: ContractServer;
  tearDown(): Promise<void>;
}

export interface ClientSetUpOptions extends ContractServerOptions {
  /** Contents of files in the home, by name. */
  files?: Record<string, string>;
}

/** An empty home and a server of the contract, for `beforeEach`, which ends with `return tearDown`. */
export async function setUpClient({ files = {}, ...options }: ClientSetUpOptions = {}): Promise<ClientSetUp> {
  const home = createHome();
  const { now } = clockOf(home);
  const server = await startContractServer({ textOf: (file) => `text of ${file.toString()}`, now, ...options });
  for (const [name, text] of Object.entries(files)) writeFileSync(join(home.dir, name), text);
  return {
    home,
    server,
    async tearDown() {
      await server.close();
      home.remove();
    },
  };
}

/** The unfinished submissions, as they are on disk right now. */
export function readOpenRecords({ stateDir }: TemporaryHome): Array<Record<string, unknown>> {
  const directory = join(stateDir, 'submissions', 'open');
  const names = readdirSync(directory).filter((name) => name.endsWith('.json'));
  return names.flatMap((name) => {
    const path = join(directory, name);
    try {
      return [JSON.parse(readFileSync(path, 'utf8')) as Record<string, unknown>];
    } catch (error) {
      // It was finished meanwhile.
      if (!existsSync(path)) return [];
      throw error;
    }
  });
}

/** Parses the line that `--json` printed for each input. */
export function readLines(stdout: string): Array<Record<string, unknown>> {
  return stdout
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}
