import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface TemporaryHome {
  dir: string;
  stateDir: string;
  configDir: string;
  dataDir: string;
  /** All that a CLI is given; nothing of the environment that the tests run in. */
  env: Record<string, string>;
  remove(): void;
}

/** An empty home: neither settings nor a service of whoever runs the tests are seen or touched. */
export function createHome(): TemporaryHome {
  const dir = mkdtempSync(join(tmpdir(), 'ocr-test-'));
  const [configDir, stateDir, dataDir] = [join(dir, 'config'), join(dir, 'state'), join(dir, 'data')];
  return {
    dir,
    configDir,
    stateDir,
    dataDir,
    env: {
      PATH: process.env.PATH ?? '',
      HOME: dir,
      // Node 22 and later keep compiled code there by default; a test's TMPDIR must not move it.
      NODE_COMPILE_CACHE: join(tmpdir(), 'node-compile-cache'),
      OCR_CONFIG_DIR: configDir,
      OCR_STATE_DIR: stateDir,
      OCR_DATA_DIR: dataDir,
      OCR_CACHE_DIR: join(dir, 'cache'),
      // The same on every machine, whatever is installed there.
      OCR_SERVE_OCR_ENGINE: 'wasm',
    },
    remove: () => rmSync(dir, { recursive: true, force: true }),
  };
}
