import { statSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createId } from '../../dist/contract/identifiers.js';
import type { Blobs } from '../../dist/store/blobs.js';

export interface OpenBlobs {
  blobs: Blobs;
  /** Opens the same storage again, as the next process does. */
  reopen(): Promise<Blobs>;
  close(): Promise<void>;
}

/** Text of a document that is too large to be a row of the store. */
const LARGE = 'x'.repeat(200_000);

/** The contract of every document storage, tested through its interface. */
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
    /** A directory for one reader. */
    const makeRoom = (opener = blobs) => mkdtemp(join(opener.readingRoom, 'run-'));
    const read = async (id: string, opener = blobs) =>
      await readFile(await opener.handOver(id, await makeRoom(opener)), 'utf8');
    /** Lists a directory without emptied files. */
    const listFull = async (directory: string) => {
      const paths = (await readdir(directory)).map((name) => join(directory, name));
      return paths.filter((path) => statSync(path).size > 0);
    };
    const exists = (path: string) =>
      readFile(path).then(
        () => true,
        () => false,
      );

    test.each([
      ['small', ''],
      ['large', LARGE],
    ])('a %s upload → readable before it is kept, and under its id afterwards', async (_, more) => {
      const blob = await receive('one ', '', 'two', more);
      for (const room of [await makeRoom(), undefined])
        expect(await readFile(await blob.spill(room), 'utf8')).toBe(`one two${more}`);
      const id = createId('doc');
      await blob.keep(id);
      expect(await read(id)).toBe(`one two${more}`);
      expect(await read(id, await opened.reopen())).toBe(`one two${more}`);
      // A kept upload has nothing to discard.
      await blob.discard();
      expect(await read(id)).toBe(`one two${more}`);
    });

    test('several documents read in one directory, one after the other → each whole, under its own name', async () => {
      const room = await makeRoom();
      const texts = ['long'.repeat(5_000), 'short', '', LARGE, 'again'];
      const paths = new Set<string>();
      for (const text of texts) {
        const [upload, id] = [await receive(text), createId('doc')];
        const counted = await upload.spill(room);
        expect(await readFile(counted, 'utf8')).toBe(text);
        await upload.keep(id);
        expect(await listFull(room)).toEqual([]);
        const path = await blobs.handOver(id, room);
        expect(await readFile(path, 'utf8')).toBe(text);
        await blobs.takeBack(path);
        await blobs.takeBack(path);
        expect(await listFull(room)).toEqual([]);
        for (const name of [counted, path]) paths.add(name);
      }
      expect(paths.size).toBe(2 * texts.length);
    });

    test('two copies in one directory → two files', async () => {
      const room = await makeRoom();
      const [one, two] = [await receive('one'), await receive('two')];
      const path = await one.spill(room);
      expect(await readFile(await two.spill(room), 'utf8')).toBe('two');
      await one.discard();
      const next = await receive('three');
      const id = createId('doc');
      await next.keep(id);
      expect(await readFile(await blobs.handOver(id, room), 'utf8')).toBe('three');
      expect(await listFull(room)).toHaveLength(2);
      expect(await exists(path)).toBe(false);
      await two.discard();
    });

    test('a document for a reader → in the reader’s directory, and removed there without being lost', async () => {
      const room = await makeRoom();
      const [blob, large] = [await receive('x'), await receive('y'.repeat(2_000_000))];
      for (const [one, text] of [[blob, 'x'] as const, [large, 'y'.repeat(2_000_000)] as const]) {
        const path = await one.spill(room);
        expect(dirname(path)).toBe(room);
        expect(await readFile(path, 'utf8')).toBe(text);
      }
      // When the first process fails, the next one gets the document.
      const other = await makeRoom();
      expect(dirname(await blob.spill(other))).toBe(other);
      const id = createId('doc');
      await blob.keep(id);
      await large.discard();
      for (const emptied of [room, other]) expect(await listFull(emptied)).toEqual([]);
      const path = await blobs.handOver(id, room);
      expect(dirname(path)).toBe(room);
      await blobs.takeBack(path);
      await blobs.takeBack(path);
      expect(await listFull(room)).toEqual([]);
      expect(await read(id)).toBe('x');
    });

    test('a large document → unchanged bytes', async () => {
      const bytes = Buffer.from(Array.from({ length: 300_000 }, (_, i) => (i * 31) % 256));
      const blob = blobs.receive(`${createId('req')}.part`);
      for (let at = 0; at < bytes.length; at += 65_536) await blob.append(bytes.subarray(at, at + 65_536));
      const id = createId('doc');
      await blob.keep(id);
      expect((await readFile(await blobs.handOver(id, await makeRoom()))).equals(bytes)).toBe(true);
    });

    test('discard and remove → no file, also when repeated', async () => {
      const refused = await receive('x');
      const path = await refused.spill();
      await refused.discard();
      await refused.discard();
      expect(await exists(path)).toBe(false);
      const id = createId('doc');
      await (await receive('y')).keep(id);
      await blobs.remove(id);
      await blobs.remove(id);
      await expect(read(id)).rejects.toThrow();
      const large = createId('doc');
      await (await receive(LARGE)).keep(large);
      expect(await read(large)).toBe(LARGE);
      await blobs.remove(large);
      await expect(read(large)).rejects.toThrow();
    });

    test('a second upload of one name → refused', async () => {
      const name = `${createId('req')}.part`;
      const first = blobs.receive(name);
      await first.spill();
      await expect(blobs.receive(name).spill()).rejects.toThrow();
      await first.discard();
    });

    test.each([
      ['small', ''],
      ['large', LARGE],
    ])(
      'a restart with %s documents → orphans, cut uploads and lent copies are removed; needed documents stay',
      async (_, more) => {
        const [needed, orphan] = [createId('doc'), createId('doc')];
        await (await receive('needed', more)).keep(needed);
        await (await receive('orphan', more)).keep(orphan);
        const cut = await receive('cut off', more);
        const room = join(blobs.readingRoom, 'run-0');
        await mkdir(room);
        const cutPath = await cut.spill(room);
        const lent = await blobs.handOver(needed, room);
        const later = await opened.reopen();
        expect(await later.removeOrphans(new Set([needed]))).toBe(3);
        for (const path of [lent, cutPath]) expect(await exists(path)).toBe(false);
        expect(await read(needed, later)).toBe(`needed${more}`);
        await expect(read(orphan, later)).rejects.toThrow();
        expect(await later.removeOrphans(new Set([needed]))).toBe(0);
        await cut.discard();
      },
    );
  });
}
