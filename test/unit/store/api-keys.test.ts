import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createApiKey, createOrganisation } from '../../../src/store/access.js';
import { openStore } from '../../../src/store/sqlite/open-store.js';
import { one } from '../../../src/store/unit.js';

test('a new key → its SHA-256 in the store, the key in none of its bytes', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'ocr-keys-test-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  const path = join(directory, 'ocr.db');
  const store = await openStore(path);
  const key = await createApiKey(store, await createOrganisation(store, 'Test'), 'test');
  expect((await store.read(one('SELECT hash FROM api_key')))?.hash).toBe(
    createHash('sha256').update(key).digest('hex'),
  );
  await store.close();
  expect(readFileSync(path).includes(key)).toBe(false);
});
