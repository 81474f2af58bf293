import { mkdir, readdir, rm, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { createIncomingBlob, type IncomingBlob } from './incoming-blob.js';

/** Where documents are kept while a job needs them. */
export interface Blobs {
  /** Where a document process must be able to read. */
  directories: readonly string[];
  /** Nothing is on disk before it has to be. */
  receive(temporaryName: string): IncomingBlob;
  /** A path that a document process may read. */
  pathOf(id: string): string;
  remove(id: string): Promise<void>;
  /** Removes what is left of interrupted uploads, and documents that nobody needs. Returns how many files. */
  removeOrphans(needed: ReadonlySet<string>): Promise<number>;
}

/** Only what we named ourselves is ever removed: a person may have pointed us at a directory with files of his own. */
const OWN_DOCUMENT = /^doc_[0-9A-HJKMNP-TV-Z]{26}$/;
const OWN_UPLOAD = /^req_[0-9A-HJKMNP-TV-Z]{26}\.part$/;

/** What uploads may hold in memory, all together. */
const MEMORY_BYTES = 64 * 1024 * 1024;

/** Files in `incoming/` and `documents/` of the data directory; both on one file system, so that keeping is a rename. */
export async function createFileBlobs(directory: string): Promise<Blobs> {
  const incoming = join(directory, 'incoming');
  const documents = join(directory, 'documents');
  await mkdir(incoming, { recursive: true, mode: 0o700 });
  await mkdir(documents, { recursive: true, mode: 0o700 });
  const memory = { freeBytes: MEMORY_BYTES };
  return {
    directories: [incoming, documents],
    receive: (temporaryName) => createIncomingBlob({ path: join(incoming, temporaryName), documents, memory }),
    pathOf: (id) => join(documents, id),
    remove: (id) =>
      unlink(join(documents, id)).catch((error: NodeJS.ErrnoException) => {
        if (error.code !== 'ENOENT') throw error;
      }),
    removeOrphans: async (needed) => {
      const lost = (await readdir(incoming)).filter((name) => OWN_UPLOAD.test(name));
      const unneeded = (await readdir(documents)).filter((id) => OWN_DOCUMENT.test(id) && !needed.has(id));
      for (const name of lost) await rm(join(incoming, name), { force: true });
      for (const id of unneeded) await rm(join(documents, id), { force: true });
      return lost.length + unneeded.length;
    },
  };
}
