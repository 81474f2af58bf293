import { createHash } from 'node:crypto';
import { statSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createId } from '../../dist/contract/identifiers.js';
import { createOrganisation } from '../../dist/store/access.js';
import type { Blobs } from '../../dist/store/blobs/blobs.js';
import type { IncomingBlob } from '../../dist/store/blobs/incoming-blob.js';
import type { BlobFacts } from '../../dist/store/blobs/storage.js';
import { createQueue } from '../../dist/store/create-queue.js';
import type { ClaimedJob, Queue } from '../../dist/store/queue.js';
import type { Store } from '../../dist/store/store.js';
import { run } from '../../dist/store/unit.js';
import { makeAcceptance } from './support/make-acceptance.js';

export interface OpenBlobs {
  blobs: Blobs;
  store: Store;
  /** Opens the same storage again, as the next process does. */
  reopen(): Promise<Blobs>;
  close(): Promise<void>;
}

interface StorageTraits {
  /** True when other processes put documents there too. */
  isShared?: boolean;
  /** True when documents stay for an hour after their job's end. */
  keepsEnded?: boolean;
}

const HOUR_MS = 3_600_000;
/** Text of a document that is too large to be a row of the store. */
const LARGE = 'x'.repeat(200_000);
const MIB = 1024 * 1024;

/** The contract of every document storage, tested through its interface. */
export function describeBlobs(
  engine: string,
  { isShared = false, keepsEnded = false }: StorageTraits,
  open: () => Promise<OpenBlobs>,
): void {
  describe(`documents on ${engine}`, () => {
    let opened: OpenBlobs;
    let blobs: Blobs;
    let queue: Queue;
    let organisationId: string;
    beforeEach(async () => {
      opened = await open();
      blobs = opened.blobs;
      queue = createQueue(opened.store);
      organisationId = await createOrganisation(opened.store, 'Test');
    });
    afterEach(() => opened.close());

    const receive = async (...chunks: Array<string | Uint8Array>) => {
      const blob = blobs.receive(`${createId('req')}.part`);
      for (const chunk of chunks) await blob.append(Buffer.from(chunk));
      return blob;
    };
    const factsOf = (content: string | Uint8Array, id = createId('doc')): BlobFacts => ({
      id,
      sizeBytes: Buffer.byteLength(content),
      sha256: createHash('sha256').update(content).digest('hex'),
    });
    /** Keeps an upload, and accepts its job unless it is to be lost before. */
    const keep = async (upload: IncomingBlob, facts: BlobFacts, hasJob = true) => {
      const bytes = await upload.keep(facts);
      if (!hasJob) return facts;
      const document = { ...facts, mimeType: 'application/pdf', pageCount: 1, bytes };
      await queue.accept(makeAcceptance(organisationId, { cacheKey: createId('job'), document }));
      return facts;
    };
    /** Uploads a document and accepts its job. */
    const store = async (content: string | Uint8Array) => {
      const upload = await receive(content);
      const facts = await keep(upload, factsOf(content));
      await upload.discard();
      return facts;
    };
    /** A directory for one reader. */
    const makeRoom = (opener = blobs) => mkdtemp(join(opener.readingRoom, 'run-'));
    const read = async (blob: BlobFacts, opener = blobs) =>
      await readFile(await opener.handOver(blob, await makeRoom(opener)), 'utf8');
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
    /** Finishes every job, `agoMs` before now. */
    const endJobs = async (agoMs = 0) => {
      for (let job: ClaimedJob | undefined; ; ) {
        [job] = await queue.claim(60_000);
        if (job === undefined) break;
        await queue.fail(job, { code: 'INTERNAL', message: '' }, { durationMs: 1, isBilled: false });
      }
      const atMs = opened.store.clock.now() - agoMs;
      await opened.store.write(() => run('UPDATE job SET finished_at = :atMs', { atMs }));
    };

    test.each([
      ['small', ''],
      ['large', LARGE],
    ])('a %s upload → readable before it is kept, and under its id afterwards', async (_, more) => {
      const content = `one two${more}`;
      const blob = await receive('one ', '', 'two', more);
      for (const room of [await makeRoom(), undefined])
        expect(await readFile(await blob.spill(room), 'utf8')).toBe(content);
      const facts = await keep(blob, factsOf(content));
      expect(await read(facts)).toBe(content);
      expect(await read(facts, await opened.reopen())).toBe(content);
      // A kept upload has nothing to discard.
      await blob.discard();
      expect(await read(facts)).toBe(content);
    });

    test('several documents read in one directory, one after the other → each whole, under its own name', async () => {
      const room = await makeRoom();
      const texts = ['long'.repeat(5_000), 'short', '', LARGE, 'again'];
      const paths = new Set<string>();
      for (const text of texts) {
        const upload = await receive(text);
        const counted = await upload.spill(room);
        expect(await readFile(counted, 'utf8')).toBe(text);
        const facts = await keep(upload, factsOf(text));
        await upload.discard();
        expect(await listFull(room)).toEqual([]);
        const path = await blobs.handOver(facts, room);
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
      const facts = await store('three');
      expect(await readFile(await blobs.handOver(facts, room), 'utf8')).toBe('three');
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
      const facts = await keep(blob, factsOf('x'));
      await large.discard();
      for (const emptied of [room, other]) expect(await listFull(emptied)).toEqual([]);
      const path = await blobs.handOver(facts, room);
      expect(dirname(path)).toBe(room);
      await blobs.takeBack(path);
      await blobs.takeBack(path);
      expect(await listFull(room)).toEqual([]);
      expect(await read(facts)).toBe('x');
    });

    test.each([
      ['below a MiB', 300_000],
      ['of whole MiB', 2 * MIB],
      ['of some MiB and a byte', 3 * MIB + 1],
    ])('a large document, %s → unchanged bytes', async (_, size) => {
      const bytes = Buffer.from(Uint8Array.from({ length: size }, (__, i) => (i * 31 + (i >> 8)) % 256));
      const upload = blobs.receive(`${createId('req')}.part`);
      for (let at = 0; at < bytes.length; at += 65_536) await upload.append(bytes.subarray(at, at + 65_536));
      const facts = await keep(upload, factsOf(bytes));
      expect((await readFile(await blobs.handOver(facts, await makeRoom()))).equals(bytes)).toBe(true);
      await upload.discard();
    });

    test('an upload that is kept twice, as after a doubtful first time → whole', async () => {
      const facts = factsOf(LARGE);
      for (const hasJob of [false, true]) {
        const upload = await receive(LARGE);
        await keep(upload, facts, hasJob);
        await upload.discard();
      }
      expect(await read(facts)).toBe(LARGE);
    });

    test('discard and remove → no file, also when repeated', async () => {
      const refused = await receive('x');
      const path = await refused.spill();
      await refused.discard();
      await refused.discard();
      expect(await exists(path)).toBe(false);
      for (const text of ['y', LARGE]) {
        const facts = await store(text);
        expect(await read(facts)).toBe(text);
        await blobs.remove(facts.id);
        await blobs.remove(facts.id);
        const room = await makeRoom();
        await expect(blobs.handOver(facts, room)).rejects.toThrow(
          expect.objectContaining({ name: 'BlobMissingError' }),
        );
        expect(await readdir(room)).toEqual([]);
      }
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
      'a restart with %s documents → cut uploads and lent copies are removed; needed documents stay',
      async (_, more) => {
        const needed = await store(`needed${more}`);
        const cut = await receive('cut off', more);
        const room = join(blobs.readingRoom, 'run-0');
        await mkdir(room);
        const cutPath = await cut.spill(room);
        const lent = await blobs.handOver(needed, room);
        const later = await opened.reopen();
        expect(await later.removeLeftovers()).toBe(2);
        for (const path of [lent, cutPath]) expect(await exists(path)).toBe(false);
        expect(await read(needed, later)).toBe(`needed${more}`);
        expect(await later.removeLeftovers()).toBe(0);
        await cut.discard();
      },
    );

    test('a document without a job → goes after a day; at a start too where nobody else puts documents', async () => {
      const nowMs = opened.store.clock.now();
      const [old, young] = [25 * HOUR_MS, 23 * HOUR_MS].map((ageMs) => factsOf(LARGE, createId('doc', nowMs - ageMs)));
      for (const facts of [old, young] as BlobFacts[]) {
        const upload = await receive(LARGE);
        await keep(upload, facts, false);
        await upload.discard();
      }
      const needed = await store(LARGE);
      expect(await blobs.sweep()).toBe(1);
      await expect(read(old as BlobFacts)).rejects.toThrow();
      expect(await read(young as BlobFacts)).toBe(LARGE);
      expect(await (await opened.reopen()).removeLeftovers()).toBe(isShared ? 0 : 1);
      expect(await read(needed)).toBe(LARGE);
    });

    test('the document of an ended job → gone; an hour later where a restored store may need it', async () => {
      const documents = [await store('small'), await store(LARGE)];
      queue = createQueue(opened.store, { documents: blobs });
      await endJobs();
      const [small, large] = documents as [BlobFacts, BlobFacts];
      await expect(read(small)).rejects.toThrow();
      expect(await blobs.sweep()).toBe(0);
      if (keepsEnded) {
        expect(await read(large)).toBe(LARGE);
        await endJobs(HOUR_MS - 5_000);
        expect(await blobs.sweep()).toBe(0);
        await endJobs(HOUR_MS);
        expect(await blobs.sweep()).toBe(1);
      }
      await expect(read(large)).rejects.toThrow();
    });

    test('a process that dies between the end of a job and the removal → the sweep removes the document', async () => {
      const ended = [await store('small'), await store(LARGE)];
      await endJobs(HOUR_MS);
      const needed = [await store('small'), await store(LARGE)];
      // Small ones are rows, which go in the transaction that ends the job.
      expect(await blobs.sweep()).toBe(1);
      for (const facts of ended) await expect(read(facts)).rejects.toThrow();
      for (const facts of needed) expect(await read(facts)).not.toBe('');
    });

    test('many documents without jobs → swept, unless the sweep is stopped', async () => {
      const ids = Array.from({ length: 12 }, () => createId('doc', opened.store.clock.now() - 25 * HOUR_MS));
      for (const id of ids) {
        const one = await receive(LARGE);
        await keep(one, factsOf(LARGE, id), false);
        await one.discard();
      }
      const needed = await store(LARGE);
      const stop = new AbortController();
      stop.abort();
      expect(await blobs.sweep(stop.signal)).toBe(0);
      expect(await blobs.sweep()).toBe(ids.length);
      expect(await read(needed)).toBe(LARGE);
    });
  });
}
