import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createCopies } from '../../../../src/store/blobs/copies.js';
import { createIncomingBlob } from '../../../../src/store/blobs/incoming-blob.js';

test('an upload in single bytes → goes to disk, with bounded memory', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'ocr-blob-test-'));
  try {
    const path = join(directory, 'a.part');
    const memory = { freeBytes: 64 * 1024 };
    const storage = { put: async () => expect.fail('it is not kept') };
    const blob = createIncomingBlob({ path, storage, memory, copies: createCopies() });
    const text = 'abcdefghij'.repeat(100);
    for (const letter of text) await blob.append(Buffer.from(letter));
    expect(existsSync(path)).toBe(true);
    expect(memory.freeBytes).toBe(64 * 1024);
    expect(readFileSync(await blob.spill(), 'latin1')).toBe(text);
    await blob.discard();
    expect(existsSync(path)).toBe(false);
    expect(memory.freeBytes).toBe(64 * 1024);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
});
