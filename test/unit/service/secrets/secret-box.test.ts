import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { createArgsVault } from '../../../../src/service/secrets/args-vault.js';
import { openSecretBox, openSharedSecretBox, type Place } from '../../../../src/service/secrets/secret-box.js';

const PLACE: Place = { use: 'webhook secret', id: 'whe_1' };
const directory = mkdtempSync(join(tmpdir(), 'ocr-intake-test-'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

test('arguments with a secret → sealed; others → plain; both open again', async () => {
  const vault = createArgsVault(await openSecretBox(directory));
  const schema = { properties: { password: { writeOnly: true }, format: {} } };
  const secret = { password: 'open sesame', format: 'text' };
  const sealed = vault.seal(secret, schema, 'job_1');
  expect(sealed).not.toMatch(/open sesame|password|format/);
  expect(vault.open(sealed, 'job_1')).toEqual(secret);
  expect(vault.seal(secret, schema, 'job_1')).not.toBe(sealed);
  expect(vault.open(vault.seal({ format: 'text' }, schema, 'job_1'), 'job_1')).toEqual({ format: 'text' });
  expect(vault.open(vault.seal({ sealed: 'x' }, schema, 'job_1'), 'job_1')).toEqual({ sealed: 'x' });
  const reopened = createArgsVault(await openSecretBox(directory));
  expect(reopened.open(sealed, 'job_1')).toEqual(secret);
  expect(readFileSync(join(directory, 'secret'))).toHaveLength(32);
  // Put into another row it opens nothing.
  expect(() => vault.open(sealed, 'job_2')).toThrow();
});

test('a sealed value → opens only for its purpose and row', async () => {
  const box = await openSecretBox(directory);
  const place = { use: 'webhook secret', id: 'whe_1' } as const;
  const sealed = box.seal('whsec_x', place);
  expect(box.open(sealed, place)).toBe('whsec_x');
  for (const other of [{ ...place, id: 'whe_2' }, { ...place, use: 'job arguments' } as const])
    expect(() => box.open(sealed, other)).toThrow();
});

test('a fingerprint → equal for equal arguments, different in another store', async () => {
  const vault = createArgsVault(await openSecretBox(directory));
  const other = createArgsVault(await openSecretBox(mkdtempSync(join(directory, 'other-'))));
  expect(vault.fingerprint({ a: 1, b: [2] })).toBe(vault.fingerprint({ b: [2], a: 1 }));
  expect(vault.fingerprint({ a: 1 })).not.toBe(vault.fingerprint({ a: 2 }));
  expect(vault.fingerprint({ a: 1 })).not.toBe(other.fingerprint({ a: 1 }));
});

test('concurrent first opens → the same key; a damaged key → an error, not a new key', async () => {
  const shared = mkdtempSync(join(directory, 'shared-'));
  const boxes = await Promise.all(Array.from({ length: 8 }, () => openSecretBox(shared)));
  const sealed = boxes.map((box, i) => box.seal(`text ${i}`, PLACE));
  expect(sealed.map((text, i) => boxes[(i + 3) % 8]?.open(text, PLACE))).toEqual(sealed.map((_, i) => `text ${i}`));
  expect(readdirSync(shared)).toEqual(['secret']);
  writeFileSync(join(shared, 'secret'), 'short');
  await expect(openSecretBox(shared)).rejects.toMatchObject({
    code: 'DATA_DIR_INCOMPATIBLE',
    message: expect.stringMatching(/secret is damaged: it has 5 bytes instead of 32/),
    hint: expect.stringContaining('Restore it from a back-up'),
  });
});

test('a shared key in a directory that is not there → both are made, for this user alone', async () => {
  const path = join(mkdtempSync(join(directory, 'shared-')), 'etc', 'ocr', 'secret');
  await openSharedSecretBox(path, true);
  expect(statSync(join(path, '..')).mode & 0o777).toBe(0o700);
  expect(statSync(path)).toMatchObject({ size: 32 });
});

test('a shared key that may not be made → none, and no directory', async () => {
  const parent = mkdtempSync(join(directory, 'shared-'));
  expect(await openSharedSecretBox(join(parent, 'etc', 'secret'), false)).toBeUndefined();
  expect(readdirSync(parent)).toEqual([]);
});

test('a shared key whose directory cannot be made → an error with its path', async () => {
  const path = join(directory, 'file', 'secret');
  writeFileSync(join(directory, 'file'), '');
  await expect(openSharedSecretBox(path, true)).rejects.toMatchObject({
    code: 'CONFIG_INVALID',
    message: `Cannot use the secret ${path}: not a directory`,
    hint: expect.stringContaining('OCR_SERVE_SECRET_FILE=<file>'),
  });
});
