import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { changeSettings } from '../../../src/settings/settings-store.js';

let root: string;
let dir: string;
let file: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'ocr-store-'));
  dir = join(root, 'a', 'config');
  file = join(dir, 'config.json');
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const modeOf = (path: string) => statSync(path).mode & 0o777;
const setFormat = async (format: string) =>
  await changeSettings(dir, (stored) => {
    stored.profiles.work = { ...stored.profiles.work, format };
  });

test('every write, under any umask → a file of mode 0600 in a directory of 0700', async () => {
  const before = process.umask(0o022);
  try {
    await setFormat('text');
    expect([modeOf(dir), modeOf(file)]).toEqual([0o700, 0o600]);
    chmodSync(file, 0o644);
    chmodSync(dir, 0o755);
    await setFormat('markdown');
    expect([modeOf(dir), modeOf(file)]).toEqual([0o700, 0o600]);
  } finally {
    process.umask(before);
  }
});

test('a directory with other files → keeps its mode; the file gets 0600', async () => {
  mkdirSync(dir, { recursive: true });
  chmodSync(dir, 0o755);
  writeFileSync(join(dir, 'somebody-elses'), '');
  await setFormat('text');
  expect([modeOf(dir), modeOf(file)]).toEqual([0o755, 0o600]);
});

test('unknown fields in the file → kept', async () => {
  mkdirSync(dir, { recursive: true });
  writeFileSync(
    file,
    '{"later":{"x":[1]},"profile":"work","profiles":{"work":{"format":"text","new-setting":"y"},"b.c":{}}}',
  );
  await setFormat('markdown');
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({
    later: { x: [1] },
    profile: 'work',
    profiles: { work: { format: 'markdown', 'new-setting': 'y' }, 'b.c': {} },
  });
});

test('a file that is not JSON → CONFIG_INVALID that names it; the file stays', async () => {
  mkdirSync(dir, { recursive: true });
  writeFileSync(file, '{"profiles":');
  await expect(setFormat('text')).rejects.toMatchObject({
    code: 'CONFIG_INVALID',
    message: expect.stringContaining(file),
  });
  expect(readFileSync(file, 'utf8')).toBe('{"profiles":');
});

test('a link → stays; its target is written', async () => {
  mkdirSync(dir, { recursive: true });
  const target = join(root, 'dotfiles.json');
  writeFileSync(target, '{}');
  symlinkSync(target, file);
  await setFormat('text');
  expect(readFileSync(target, 'utf8')).toContain('"format": "text"');
});

test('a directory that cannot be made → CONFIG_UNWRITABLE that names it', async () => {
  writeFileSync(join(root, 'a'), 'a file where a directory should be');
  await expect(setFormat('text')).rejects.toMatchObject({
    code: 'CONFIG_UNWRITABLE',
    hint: expect.stringMatching(/^Set OCR_CONFIG_DIR .*; OCR_STATE_DIR and OCR_DATA_DIR too/),
    exitCode: 2,
    message: expect.stringContaining(dir),
  });
});
