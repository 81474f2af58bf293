import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, unlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { withLock } from '../../../src/system/lock-file.js';
import { processTag } from '../../../src/system/process-tag.js';

let directory: string;
let path: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'ocr-lock-test-'));
  path = join(directory, 'a.lock');
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

test.each(['', 'a lock of an earlier version'])(
  'a lock that nobody renews, with the text %j → taken over',
  async (holder) => {
    writeFileSync(path, holder);
    expect(await withLock(path, () => 'done', { staleAfterMs: 50 })).toBe('done');
    expect(existsSync(path)).toBe(false);
  },
);

test('a lock of a dead process → taken over', async () => {
  const child = spawnSync(process.execPath, ['-e', '']);
  writeFileSync(path, `${processTag().replace(/^\d+/, String(child.pid))}-0123456789abcdef`);
  const startMs = performance.now();
  await withLock(path, () => 'done');
  expect(performance.now() - startMs).toBeLessThan(2_000);
});

test.each([
  ['past', -3_600],
  ['future', 3_600],
])(
  'a lock file with a time in the %s (the clock was set, or the machine slept) → still its holder’s',
  async (_, seconds) => {
    let isInside = false;
    const holding = withLock(path, async () => {
      isInside = true;
      const then = Date.now() / 1000 + seconds;
      utimesSync(path, then, then);
      await sleep(200);
      isInside = false;
    });
    expect(await withLock(path, () => isInside)).toBe(false);
    await holding;
  },
);

test('a lock that another process has taken over → not removed by the first holder', async () => {
  await withLock(path, () => {
    unlinkSync(path);
    writeFileSync(path, 'of another process');
  });
  expect(existsSync(path)).toBe(true);
});

test('twenty callers → one at a time in the lock', async () => {
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
