import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Suite } from './figure.js';
import { type Command, findCommand } from './measure.js';
import { createHome } from './ocr-command.js';
import { startSink } from './sink.js';

const COUNT = 200;

/** 200 files of 20 KB, 20 ms latency, 8 at once. */
export async function batch(): Promise<Suite> {
  const sink = await startSink({ latencyMs: 20 });
  const home = createHome({ OCR_BASE_URL: sink.baseUrl, OCR_API_KEY: 'bench' });
  const dir = mkdtempSync(join(tmpdir(), 'ocr-bench-'));
  const url = `${sink.baseUrl}/v1/ocr/TEXT_EXTRACTION`;
  const files = Array.from({ length: COUNT }, (_, i) => join(dir, `${String(i).padStart(3, '0')}.pdf`));
  for (const file of files) writeFileSync(file, `%PDF-1.7\n${randomBytes(10_000).toString('hex')}`);
  const transfers = files.map(
    (file) => `url = "${url}"\nform = "args={}"\nform = "file=@${file}"\noutput = "/dev/null"`,
  );
  writeFileSync(join(dir, 'curl.conf'), transfers.join('\nnext\n'));
  const names = join(dir, 'names');
  writeFileSync(names, files.join('\n'));
  const curl = findCommand('curl');
  const ours = home.ocr('extract', '--fresh', '-c', '8', '--files-from', names);
  const versus = (name: string, baseline: Command, goal: number) => ({
    name,
    metric: 'wall' as const,
    ours,
    baseline: curl === undefined ? 'curl is not installed' : baseline,
    goal,
    runs: 5,
  });
  const xargs = `xargs -P 8 -I % curl -sS -o /dev/null -F args={} -F file=@% ${url} < ${names}`;
  return {
    figures: [
      versus(
        '200 files of 20 KB, 8 at once, beside curl -Z',
        { file: curl ?? '', args: ['-sS', '-Z', '--parallel-max', '8', '-K', join(dir, 'curl.conf')] },
        1.6,
      ),
      versus('the same beside xargs -P 8 curl', { file: 'bash', args: ['-c', xargs] }, 1),
    ],
    async stop() {
      sink.stop();
      home.remove();
      rmSync(dir, { recursive: true, force: true });
    },
  };
}
