import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createBlobs } from '../../dist/store/blobs/blobs.js';
import { openFileStorage } from '../../dist/store/blobs/file-storage.js';
import { describeEachStore } from '../support/stores.js';
import { describeBlobs } from './blobs-suite.js';

describeEachStore((engine, openStore) => {
  describeBlobs(`${engine} and a file system`, {}, async () => {
    const directory = mkdtempSync(join(tmpdir(), 'ocr-blobs-test-'));
    const store = await openStore();
    const open = async () => createBlobs(directory, store, [await openFileStorage(directory)]);
    return {
      blobs: await open(),
      store,
      reopen: open,
      close: async () => {
        await store.close();
        rmSync(directory, { recursive: true, force: true });
      },
    };
  });
});
