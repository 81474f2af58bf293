import { expect, test } from 'vitest';
import { retryInUse, retryInUseNow } from '../../../src/system/retry-in-use.js';

/** Fails as Windows does while another program has a file open. */
function createBusyFile(code: string, failures: number) {
  let attempts = 0;
  const rename = () => {
    attempts++;
    if (attempts <= failures) throw Object.assign(new Error(code), { code });
    return 'renamed';
  };
  return { rename, count: () => attempts };
}

test.each(['EPERM', 'EACCES', 'EBUSY'])('%s on Windows → tried again until the file is free', async (code) => {
  const asynchronous = createBusyFile(code, 3);
  expect(await retryInUse(asynchronous.rename, 'win32')).toBe('renamed');
  expect(asynchronous.count()).toBe(4);
  const synchronous = createBusyFile(code, 3);
  expect(retryInUseNow(synchronous.rename, 'win32')).toBe('renamed');
  expect(synchronous.count()).toBe(4);
});

test.each([
  ['linux', 'EPERM'],
  ['darwin', 'EBUSY'],
  ['win32', 'ENOSPC'],
] as const)('on %s %s → thrown at once', async (platform, code) => {
  const file = createBusyFile(code, 1);
  await expect(retryInUse(file.rename, platform)).rejects.toMatchObject({ code });
  expect(file.count()).toBe(1);
  expect(() => retryInUseNow(createBusyFile(code, 1).rename, platform)).toThrow(code);
});

test('a file that stays in use → the error in the end', async () => {
  await expect(retryInUse(createBusyFile('EBUSY', Number.POSITIVE_INFINITY).rename, 'win32')).rejects.toMatchObject({
    code: 'EBUSY',
  });
});
