import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Blobs, createBlobs } from '../../dist/store/blobs/blobs.js';
import { openFileStorage } from '../../dist/store/blobs/file-storage.js';
import { createRowStorage } from '../../dist/store/blobs/row-storage.js';
import { openBucket } from '../../dist/store/blobs/s3/bucket.js';
import { locateBucket } from '../../dist/store/blobs/s3/location.js';
import type { BlobStorage } from '../../dist/store/blobs/storage.js';
import type { Store } from '../../dist/store/store.js';
import { startFakeS3 } from '../support/fake-s3.js';
import { describeEachStore } from '../support/stores.js';
import { describeBlobs } from './blobs-suite.js';

describeEachStore((engine, openStore) => {
  const openWith =
    (openStorage: (directory: string, store: Store) => BlobStorage | Promise<BlobStorage>) => async () => {
      const directory = mkdtempSync(join(tmpdir(), 'ocr-blobs-test-'));
      const store = await openStore();
      const reopen = async (): Promise<Blobs> => createBlobs(directory, store, [await openStorage(directory, store)]);
      return {
        blobs: await reopen(),
        store,
        reopen,
        close: async () => {
          await store.close();
          rmSync(directory, { recursive: true, force: true });
        },
      };
    };

  describeBlobs(`${engine} and a file system`, {}, openWith(openFileStorage));
  describeBlobs(`${engine} in a bucket`, { isShared: true, keepsEnded: true }, async () => {
    // Every list has several pages.
    const fake = await startFakeS3({ pageSize: 5 });
    const opened = await openWith(
      async (_, store) => (await openBucket(locateBucket(fake.url, fake.env), store)).documents,
    )();
    return {
      ...opened,
      close: async () => {
        await opened.close();
        await fake.close();
      },
    };
  });

  describeBlobs(
    `${engine} in rows`,
    { isShared: true },
    openWith((_, store) => createRowStorage(store)),
  );
});
