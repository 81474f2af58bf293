import { existsSync, mkdtempSync, rmSync, unlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { withLock } from '../../../src/system/lock-file.js';

let directory: string;
let path: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'ocr-lock-test-'));
  path = join(directory, 'a.lock');
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

test.each([
  ['past', -3_600],
  ['future', 3_600],
])('a lock of the %s was left behind', async (_, seconds) => {
  writeFileSync(path, '');
  const then = Date.now() / 1000 + seconds;
  utimesSync(path, then, then);
  expect(await withLock(path, () => 'done')).toBe('done');
  expect(existsSync(path)).toBe(false);
});

test('who held it for so long that another one has it leaves that one alone', async () => {
  await withLock(path, () => {
    unlinkSync(path);
    writeFileSync(path, 'of another process');
  });
  expect(existsSync(path)).toBe(true);
});

test('one at a time', async () => {
  let inside = 0;
  let most = 0;
  await Promise.all(
    Array.from({ length: 20 }, () =>
      withLock(path, async () => {
        most = Math.max(most, ++inside);
        await new Promise((resolve) => setImmediate(resolve));
        inside--;
      }),
    ),
  );
  expect(most).toBe(1);
});
