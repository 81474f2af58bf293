import { createReadStream } from 'node:fs';
import type { BlobStorage } from '../storage.js';
import { writeDocument } from '../write-document.js';
import type { S3Client } from './client.js';
import { listOwnIds } from './own-keys.js';

/** Time that documents stay after their jobs, so that a database can be restored to a moment before. */
const KEEP_ENDED_MS = 3_600_000;
const READ_BYTES = 256 * 1024;

/** Documents as objects of a bucket. */
export function createDocumentObjects(client: S3Client, prefix: string): BlobStorage {
  return {
    isShared: true,
    keepEndedMs: KEEP_ENDED_MS,
    put: ({ id, sizeBytes, sha256 }, { path }) =>
      client.put(prefix + id, { sizeBytes, sha256, open: () => createReadStream(path, { highWaterMark: READ_BYTES }) }),
    get: (blob, path) => client.get(prefix + blob.id, (bytes) => writeDocument(blob, path, bytes)),
    remove: (id) => client.remove(prefix + id),
    list: () => listOwnIds(client, prefix, 'doc'),
  };
}
