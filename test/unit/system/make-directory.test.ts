import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { makeDirectory } from '../../../src/system/make-directory.js';

const root = mkdtempSync(join(tmpdir(), 'ocr-make-directory-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

test('a path → every directory is made, with the given mode; existing ones and links stay', () => {
  const path = join(root, 'a', 'b', 'c');
  makeDirectory(path, 0o700);
  for (const made of [path, join(root, 'a', 'b'), join(root, 'a')])
    expect(statSync(made).mode & (process.platform === 'win32' ? 0 : 0o777)).toBe(
      process.platform === 'win32' ? 0 : 0o700,
    );
  expect(() => makeDirectory(path, 0o700)).not.toThrow();
  symlinkSync(path, join(root, 'link'), 'dir');
  expect(() => makeDirectory(join(root, 'link'))).not.toThrow();
});

test('a file in the place of a directory, or above it → an error', () => {
  writeFileSync(join(root, 'file'), '');
  expect(() => makeDirectory(join(root, 'file'))).toThrow(/EEXIST/);
  expect(() => makeDirectory(join(root, 'file', 'under'))).toThrow(/ENOTDIR|ENOENT/);
});

describe.runIf(process.platform === 'linux')('where the system makes no directories', () => {
  // A process of its own runs it: a call that never returns would stop the test's process too.
  test.each(['/proc/none', '/proc/none/deeper'])('%s → ENOENT, and no endless loop', (path) => {
    const program = fileOf('../../../dist/system/make-directory.js');
    const code = `const { makeDirectory } = await import(${JSON.stringify(program)});
      try { makeDirectory(${JSON.stringify(path)}); } catch (error) { console.log(error.code); }`;
    const options = { encoding: 'utf8', timeout: 60_000, killSignal: 'SIGKILL' } as const;
    expect(execFileSync(process.execPath, ['--input-type=module', '-e', code], options)).toBe('ENOENT\n');
  });
});

const fileOf = (path: string) => new URL(path, import.meta.url).href;
