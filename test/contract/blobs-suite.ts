import { readFile } from 'node:fs/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createId } from '../../src/contract/identifiers.js';
import type { Blobs } from '../../src/store/blobs.js';

export interface OpenBlobs {
  blobs: Blobs;
  /** A second look at the same place, as the next process has it. */
  reopen(): Promise<Blobs>;
  close(): Promise<void>;
}

/** What every place for documents must hold: through the interface alone. */
export function describeBlobs(engine: string, open: () => Promise<OpenBlobs>): void {
  describe(`documents on ${engine}`, () => {
    let opened: OpenBlobs;
    let blobs: Blobs;
    beforeEach(async () => {
      opened = await open();
      blobs = opened.blobs;
    });
    afterEach(() => opened.close());

    const receive = async (...chunks: string[]) => {
      const blob = blobs.receive(`${createId('req')}.part`);
      for (const chunk of chunks) await blob.append(Buffer.from(chunk));
      return blob;
    };
    const exists = (path: string) =>
      readFile(path).then(
        () => true,
        () => false,
      );

    test('what was appended can be read before it is kept, and under its id afterwards', async () => {
      const blob = await receive('one ', '', 'two');
      expect(await readFile(await blob.spill(), 'utf8')).toBe('one two');
      const id = createId('doc');
      await blob.keep(id);
      expect(await readFile(blobs.pathOf(id), 'utf8')).toBe('one two');
      expect(await readFile((await opened.reopen()).pathOf(id), 'utf8')).toBe('one two');
      // Once it is kept there is nothing to discard.
      await blob.discard();
      expect(await exists(blobs.pathOf(id))).toBe(true);
    });

    test('documents stand where their processes may read', async () => {
      const blob = await receive('x');
      const id = createId('doc');
      for (const path of [await blob.spill(), blobs.pathOf(id)])
        expect(
          blobs.directories.some((directory) => path.startsWith(`${directory}/`)),
          path,
        ).toBe(true);
      await blob.discard();
    });

    test('large documents come back byte for byte', async () => {
      const bytes = Buffer.from(Array.from({ length: 300_000 }, (_, i) => (i * 31) % 256));
      const blob = blobs.receive(`${createId('req')}.part`);
      for (let at = 0; at < bytes.length; at += 65_536) await blob.append(bytes.subarray(at, at + 65_536));
      const id = createId('doc');
      await blob.keep(id);
      expect((await readFile(blobs.pathOf(id))).equals(bytes)).toBe(true);
    });

    test('discarding and removing leave nothing, and may be done twice', async () => {
      const refused = await receive('x');
      const path = await refused.spill();
      await refused.discard();
      await refused.discard();
      expect(await exists(path)).toBe(false);
      const id = createId('doc');
      await (await receive('y')).keep(id);
      await blobs.remove(id);
      await blobs.remove(id);
      expect(await exists(blobs.pathOf(id))).toBe(false);
    });

    test('one name is received once', async () => {
      const name = `${createId('req')}.part`;
      const first = blobs.receive(name);
      await first.spill();
      await expect(blobs.receive(name).spill()).rejects.toThrow();
      await first.discard();
    });

    test('at the next start what nobody needs goes, and what is needed stays', async () => {
      const [needed, orphan] = [createId('doc'), createId('doc')];
      await (await receive('needed')).keep(needed);
      await (await receive('orphan')).keep(orphan);
      const cut = await receive('cut off');
      const cutPath = await cut.spill();
      const later = await opened.reopen();
      expect(await later.removeOrphans(new Set([needed]))).toBe(2);
      expect(await exists(later.pathOf(needed))).toBe(true);
      for (const path of [later.pathOf(orphan), cutPath]) expect(await exists(path)).toBe(false);
      expect(await later.removeOrphans(new Set([needed]))).toBe(0);
      await cut.discard();
    });
  });
}
