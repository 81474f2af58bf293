import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { withLock as lock } from '../../../src/system/lock-file.js';
import { lockText } from '../../../src/system/make-lock.js';
import { processTag } from '../../../src/system/process-tag.js';

let directory: string;
let path: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'ocr-lock-test-'));
  path = join(directory, 'a.lock');
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

describe.each([
  ['a file', false],
  ['a link', true],
])('locks of which each is %s', (_kind, isLink) => {
  const withLock = <T>(work: () => T | Promise<T>, options = {}) => lock(path, work, { isLink, ...options });

  test.each(['', 'a lock of an earlier version'])(
    'a lock that nobody renews, with the text %j → taken over',
    async (holder) => {
      writeFileSync(path, holder);
      expect(await withLock(() => 'done', { staleAfterMs: 50 })).toBe('done');
      expect(existsSync(path)).toBe(false);
    },
  );

  test('a lock of a dead process → taken over', async () => {
    const child = spawnSync(process.execPath, ['-e', '']);
    writeFileSync(path, `${processTag().replace(/^\d+/, String(child.pid))}-0123456789abcdef`);
    const startMs = performance.now();
    await withLock(() => 'done');
    expect(performance.now() - startMs).toBeLessThan(2_000);
  });

  test.each([
    ['past', -3_600],
    ['future', 3_600],
  ])(
    'a lock file with a time in the %s (the clock was set, or the machine slept) → still its holder’s',
    async (_, seconds) => {
      let isInside = false;
      const holding = withLock(async () => {
        isInside = true;
        const then = Date.now() / 1000 + seconds;
        utimesSync(path, then, then);
        await sleep(200);
        isInside = false;
      });
      expect(await withLock(() => isInside)).toBe(false);
      await holding;
    },
  );

  test('a lock that another process has taken over → not removed by the first holder', async () => {
    await withLock(() => {
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
        withLock(async () => {
          most = Math.max(most, ++inside);
          await new Promise((resolve) => setImmediate(resolve));
          inside--;
        }),
      ),
    );
    expect(most).toBe(1);
  });
});

const DIST = fileURLToPath(new URL('../../../dist/system/lock-file.js', import.meta.url));

test('two processes that make links → one at a time in the lock, and no file is left', () => {
  const count = join(directory, 'count');
  writeFileSync(count, '0');
  const script = `
    import { readFileSync, writeFileSync } from 'node:fs';
    import { withLock } from ${JSON.stringify(DIST)};
    const [path, count] = process.argv.slice(1);
    const add = async () => {
      const read = Number(readFileSync(count));
      await new Promise((resolve) => setImmediate(resolve));
      writeFileSync(count, String(read + 1));
    };
    for (let i = 0; i < 100; i++) await withLock(path, add, { isLink: true });`;
  const one = [process.execPath, '--input-type=module', '-e', script, path, count];
  const both = spawnSync('sh', ['-c', '"$@" & "$@"; wait', 'sh', ...one], { encoding: 'utf8' });
  expect(both.stderr).toBe('');
  expect(readFileSync(count, 'utf8')).toBe('200');
  expect(readdirSync(directory)).toEqual(['count']);
});

test('many locks in a directory → links to one file, which is made again after somebody removed it', async () => {
  const mark = join(directory, `${lockText()}.tmp`);
  const inodeOf = async () => await lock(path, () => statSync(path).ino, { isLink: true });
  const first = await inodeOf();
  expect(await inodeOf()).toBe(first);
  expect(statSync(mark).ino).toBe(first);
  unlinkSync(mark);
  await inodeOf();
  expect(existsSync(mark)).toBe(true);
});
