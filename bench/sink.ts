import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { ROOT } from './ocr-command.js';

export interface Sink {
  baseUrl: string;
  stop(): void;
}

/** Starts bench/sink-server.ts in a process of its own: the harness waits for its commands without turning its own loop. */
export async function startSink({ latencyMs = 0 } = {}): Promise<Sink> {
  const child = spawn(process.execPath, ['--import', 'tsx', join(ROOT, 'bench/sink-server.ts'), String(latencyMs)], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  return { baseUrl: `http://127.0.0.1:${String(line).trim()}`, stop: () => child.kill() };
}
