import { type Blobs, createBlobs } from '../../store/blobs/blobs.js';
import { openFileStorage } from '../../store/blobs/file-storage.js';
import type { Store } from '../../store/store.js';
import type { ServiceConfig } from '../config/service-config.js';

/** Opens the documents of a service, wherever its settings keep them. */
export async function openBlobs({ dataDir }: Pick<ServiceConfig, 'dataDir'>, store: Store): Promise<Blobs> {
  return await createBlobs(dataDir, store, [await openFileStorage(dataDir)]);
}
