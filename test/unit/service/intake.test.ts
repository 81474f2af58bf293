import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { createBoundaryCounter } from '../../../src/service/http/count-boundaries.js';
import { explainLackOfResources, toServiceError } from '../../../src/service/http/service-error.js';
import { readIdempotencyKey } from '../../../src/service/intake/admission.js';
import { createArgsVault } from '../../../src/service/sealed-args.js';
import { openSecretBox, type Place } from '../../../src/service/secret-box.js';

const PLACE: Place = { use: 'webhook secret', id: 'whe_1' };
const directory = mkdtempSync(join(tmpdir(), 'ocr-intake-test-'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

test('delimiters are counted however the body is cut', () => {
  const body = Buffer.from('--b\r\nX: y\r\n\r\none\r\n--b\r\n\r\n--b inside\r\n--b--\r\n');
  const counts = new Set<number>();
  for (let size = 1; size <= body.length; size++) {
    const counter = createBoundaryCounter('b');
    for (let at = 0; at < body.length; at += size) counter.push(body.subarray(at, at + size));
    counts.add(counter.count);
  }
  expect([...counts]).toEqual([4]);
});

test('arguments with a secret are sealed, others are not, and both come back', async () => {
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

test('what is sealed opens for its use and its row alone', async () => {
  const box = await openSecretBox(directory);
  const place = { use: 'webhook secret', id: 'whe_1' } as const;
  const sealed = box.seal('whsec_x', place);
  expect(box.open(sealed, place)).toBe('whsec_x');
  for (const other of [{ ...place, id: 'whe_2' }, { ...place, use: 'job arguments' } as const])
    expect(() => box.open(sealed, other)).toThrow();
});

test('a fingerprint is that of equal arguments, and of this store alone', async () => {
  const vault = createArgsVault(await openSecretBox(directory));
  const other = createArgsVault(await openSecretBox(mkdtempSync(join(directory, 'other-'))));
  expect(vault.fingerprint({ a: 1, b: [2] })).toBe(vault.fingerprint({ b: [2], a: 1 }));
  expect(vault.fingerprint({ a: 1 })).not.toBe(vault.fingerprint({ a: 2 }));
  expect(vault.fingerprint({ a: 1 })).not.toBe(other.fingerprint({ a: 1 }));
});

test('who opens a new directory at the same time has the same key; a damaged one is never replaced', async () => {
  const shared = mkdtempSync(join(directory, 'shared-'));
  const boxes = await Promise.all(Array.from({ length: 8 }, () => openSecretBox(shared)));
  const sealed = boxes.map((box, i) => box.seal(`text ${i}`, PLACE));
  expect(sealed.map((text, i) => boxes[(i + 3) % 8]?.open(text, PLACE))).toEqual(sealed.map((_, i) => `text ${i}`));
  expect(readdirSync(shared)).toEqual(['secret']);
  writeFileSync(join(shared, 'secret'), 'short');
  await expect(openSecretBox(shared)).rejects.toThrow(/secret is damaged: it has 5 bytes instead of 32/);
});

test('what the machine lacks can be asked for again; other faults cannot', () => {
  const full = Object.assign(new Error('ENOSPC: /secret/path'), { code: 'ENOSPC' });
  expect(toServiceError(full)).toMatchObject({ code: 'PROVIDER_UNAVAILABLE', headers: { 'retry-after': '5' } });
  expect(toServiceError(full).message).toMatch(/disk is full/);
  expect(toServiceError(full).message).not.toMatch(/secret/);
  expect(explainLackOfResources(Object.assign(new Error(), { errcode: 13 }))).toMatch(/disk is full/);
  expect(explainLackOfResources(Object.assign(new Error(), { code: 'EMFILE' }))).toMatch(/files open/);
  expect(toServiceError(new Error('private detail'))).toMatchObject({ code: 'INTERNAL' });
  expect(toServiceError(new Error('private detail')).message).not.toMatch(/private/);
});

test('an Idempotency-Key is 1 to 255 printable ASCII characters', () => {
  expect(readIdempotencyKey({})).toBeUndefined();
  for (const key of ['a', '~', 'a b', 'x'.repeat(255)])
    expect(readIdempotencyKey({ 'idempotency-key': key })).toBe(key);
  for (const key of ['', 'x'.repeat(256), 'ü', 'a\tb'])
    expect(() => readIdempotencyKey({ 'idempotency-key': key })).toThrow(/1 to 255/);
});
