import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Command } from './measure.js';

export const ROOT = fileURLToPath(new URL('..', import.meta.url));
const LAUNCHER = join(ROOT, 'bin/ocr.js');

export interface Home {
  ocr(...args: string[]): Command;
  /** Ends the service and removes the directory. */
  remove(): void;
}

/** An empty home of its own, so that a bench neither uses nor changes what the person running it has. */
export function createHome(more: Record<string, string> = {}): Home {
  const home = mkdtempSync(join(tmpdir(), 'ocr-bench-'));
  const env = {
    // The cache must not answer: the bench measures reading.
    OCR_SERVE_CACHE_TTL_MS: '1',
    HOME: home,
    XDG_CONFIG_HOME: '',
    XDG_DATA_HOME: '',
    XDG_STATE_HOME: '',
    OCR_CONFIG_DIR: '',
    OCR_STATE_DIR: '',
    OCR_DATA_DIR: '',
    OCR_BASE_URL: '',
    OCR_API_KEY: '',
    ...more,
  };
  const ocr = (...args: string[]): Command => ({ file: process.execPath, args: [LAUNCHER, ...args], env });
  return {
    ocr,
    remove() {
      const stop = ocr('local', 'stop');
      spawnSync(stop.file, stop.args, { env: { ...process.env, ...stop.env }, stdio: 'ignore' });
      rmSync(home, { recursive: true, force: true });
    },
  };
}
