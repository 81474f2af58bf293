import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Suite } from './figure.js';
import { findCommand } from './measure.js';
import { createHome } from './ocr-command.js';
import { startSink } from './sink.js';

const MIB = 1024 * 1024;

/** Sending large documents, beside `curl -F` and beside smaller ones. */
export async function upload(): Promise<Suite> {
  const sink = await startSink();
  const home = createHome({ OCR_BASE_URL: sink.baseUrl, OCR_API_KEY: 'bench' });
  const dir = mkdtempSync(join(tmpdir(), 'ocr-bench-'));
  const [large, small] = [join(dir, '1-gb'), join(dir, '100-mb')];
  const block = randomBytes(100 * MIB);
  writeFileSync(small, block);
  for (let i = 0; i < 10; i++) writeFileSync(large, block, { flag: 'a' });
  const curl = findCommand('curl');
  const url = `${sink.baseUrl}/v1/ocr/TEXT_EXTRACTION`;
  const send = (file: string) => home.ocr('extract', '--fresh', file);
  return {
    figures: [
      {
        name: '1 GB, beside curl -F (we read it twice)',
        metric: 'wall',
        ours: send(large),
        baseline:
          curl === undefined
            ? 'curl is not installed'
            : { file: curl, args: ['-sS', '-F', 'args={}', '-F', `file=@${large}`, url] },
        goal: 2,
        runs: 5,
      },
      {
        name: 'peak memory of 1 GB (≤ 150 MiB), beside 100 MB',
        metric: 'memory',
        ours: send(large),
        baseline: send(small),
        goal: 1.2,
        runs: 3,
      },
    ],
    async stop() {
      sink.stop();
      home.remove();
      rmSync(dir, { recursive: true, force: true });
    },
  };
}
