import { type Blobs, createBlobs } from '../../store/blobs/blobs.js';
import { openFileStorage } from '../../store/blobs/file-storage.js';
import { createRowStorage } from '../../store/blobs/row-storage.js';
import type { Store } from '../../store/store.js';
import type { ServiceConfig } from '../config/service-config.js';

/** Opens the documents of a service, wherever its settings keep them. */
export async function openBlobs(
  { dataDir, databaseUrl }: Pick<ServiceConfig, 'dataDir' | 'databaseUrl'>,
  store: Store,
): Promise<Blobs> {
  const storage = databaseUrl === undefined ? await openFileStorage(dataDir) : createRowStorage(store);
  return await createBlobs(dataDir, store, [storage]);
}
