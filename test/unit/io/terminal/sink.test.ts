import { spawnSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';

const SINK = new URL('../../../../dist/io/terminal/sink.js', import.meta.url).href;

// A file size limit stands for a disk that fills up in the middle of a write: the first part is taken, the rest is not.
test.skipIf(process.platform === 'win32')('a file that takes only a part → an error, not a shorter result', () => {
  const directory = mkdtempSync(join(tmpdir(), 'ocr-sink-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  const path = join(directory, 'out.txt');
  const file = openSync(path, 'w');
  const program = `
    process.on('SIGXFSZ', () => {});
    const { createSink } = await import(${JSON.stringify(SINK)});
    await createSink(process.stdout, 1).write('x'.repeat(5000)).catch((error) => {
      process.stderr.write(error.code + ' ' + error.message);
    });`;
  const child = spawnSync(
    'bash',
    ['-c', 'ulimit -f 4; exec "$0" --input-type=module -e "$1"', process.execPath, program],
    { stdio: ['ignore', file, 'pipe'], encoding: 'utf8' },
  );
  closeSync(file);
  expect(readFileSync(path, 'utf8')).toHaveLength(4096);
  expect(child.stderr).toMatch(/^OUTPUT_UNWRITABLE Cannot write to standard output: file too large/);
});
