import type { ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { Agent } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT } from './ocr-command.js';
import { start } from './service-calls.js';

export interface BenchService {
  url: string;
  pid: number;
  dataDir: string;
  /** Connections to it, which are kept. */
  agent: Agent;
  /** Processes that end with it; a bench may add its own. */
  children: ChildProcess[];
  /** Kills it, so that calls under way end. */
  kill(): void;
}

/** Runs `use` with a service of its own on an empty directory; afterwards the service has ended, and the directory is gone. */
export async function withService(
  use: (service: BenchService) => Promise<void>,
  { flags = [], env = {} }: { flags?: readonly string[]; env?: Record<string, string> } = {},
): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), 'ocr-bench-service-'));
  const agent = new Agent({ keepAlive: true, maxSockets: 64 });
  const children: ChildProcess[] = [];
  const end = (signal: NodeJS.Signals) => {
    for (const child of children) child.kill(signal);
  };
  try {
    const args = [join(ROOT, 'bin/ocr.js'), 'serve', '--port', '0', '--data-dir', dataDir, '--json', ...flags];
    const { url } = JSON.parse(await start(children, args, env)) as { url: string };
    await use({ url, pid: children[0]?.pid ?? 0, dataDir, agent, children, kill: () => end('SIGKILL') });
  } finally {
    agent.destroy();
    end('SIGTERM');
    await Promise.all(children.map(untilEnded));
    rmSync(dataDir, { recursive: true, force: true });
  }
}

async function untilEnded(child: ChildProcess): Promise<void> {
  if (child.exitCode === null && child.signalCode === null)
    await new Promise<void>((resolve) => child.once('exit', () => resolve()));
}
