import { mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { takeStartLock } from '../../../src/local/start-lock.js';

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'ocr-lock-'));
});
afterEach(async () => {
  await rm(directory, { recursive: true, force: true });
});

test('twenty callers → one gets the lock, and the next one after its release', async () => {
  const got = await Promise.all(Array.from({ length: 20 }, () => takeStartLock(directory)));
  const winners = got.filter((release) => release !== undefined);
  expect(winners).toHaveLength(1);
  await winners[0]?.();
  expect(await readdir(directory)).toEqual([]);
  expect(await takeStartLock(directory)).toBeTypeOf('function');
});

test('the lock of a dead process → taken over', async () => {
  await writeFile(join(directory, 'starting.lock'), '2147483646');
  expect(await takeStartLock(directory)).toBeTypeOf('function');
});

test('the lock of a living process → respected for a time, then taken over', async () => {
  const path = join(directory, 'starting.lock');
  await writeFile(path, String(process.pid));
  expect(await takeStartLock(directory)).toBeUndefined();
  const longAgo = new Date(Date.now() - 60_000);
  await utimes(path, longAgo, longAgo);
  expect(await takeStartLock(directory)).toBeTypeOf('function');
});

test('a lock that cannot be written → rejects, and leaves no file', async () => {
  await expect(takeStartLock(join(directory, 'missing'))).rejects.toThrow(/ENOENT/);
  expect(await readdir(directory)).toEqual([]);
});
