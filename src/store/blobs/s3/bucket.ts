import { sortableId } from '../../../contract/identifiers.js';
import type { Store } from '../../store.js';
import { one, run, type Unit } from '../../unit.js';
import type { LargeResults } from '../large-results.js';
import type { BlobStorage } from '../storage.js';
import { openS3Client } from './client.js';
import { createDocumentObjects } from './document-objects.js';
import type { S3Location } from './location.js';
import { createResultObjects } from './result-objects.js';

/** The objects of one store in a bucket. */
interface Bucket {
  documents: BlobStorage;
  results: LargeResults;
  /** @throws BlobsUnavailableError when the bucket cannot be used, or not now */
  check(): Promise<void>;
  close(): Promise<void>;
}

/** Opens a bucket. Keys begin with the name of the store, so that no other one that has the same URL takes them for leftovers. */
export async function openBucket(location: S3Location, store: Store): Promise<Bucket> {
  const client = await openS3Client({ location, now: store.clock.now });
  const prefix = `${location.prefix}${await store.write(nameStore)}/`;
  return {
    documents: createDocumentObjects(client, prefix),
    results: createResultObjects(client, prefix),
    check: async () => {
      for await (const _ of client.list(prefix, 1)) return;
    },
    close: client.close,
  };
}

/** Returns the name of the store, which it gets once. */
function* nameStore(): Unit<string> {
  yield* run('INSERT INTO store_identity (number, id) VALUES (1, :id) ON CONFLICT (number) DO NOTHING', {
    id: sortableId(),
  });
  return (yield* one<{ id: string }>('SELECT id FROM store_identity'))?.id ?? '';
}
