import { type FileHandle, mkdir, open, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';

/** A document that is being received; under a temporary name until it is kept. */
export interface IncomingBlob {
  /** Where it can be read: what was appended is there. */
  path: string;
  append(chunk: Uint8Array): Promise<void>;
  /** Makes it durable under its id. */
  keep(id: string): Promise<void>;
  discard(): Promise<void>;
}

/** Where documents are kept while a job needs them. */
export interface Blobs {
  /** Where a document process must be able to read. */
  directories: readonly string[];
  receive(temporaryName: string): Promise<IncomingBlob>;
  /** A path that a document process may read. */
  pathOf(id: string): string;
  remove(id: string): Promise<void>;
  /** Removes what is left of interrupted uploads, and documents that nobody needs. Returns how many files. */
  removeOrphans(needed: ReadonlySet<string>): Promise<number>;
}

/** Only what we named ourselves is ever removed: a person may have pointed us at a directory with files of his own. */
const OWN_DOCUMENT = /^doc_[0-9A-HJKMNP-TV-Z]{26}$/;
const OWN_UPLOAD = /^req_[0-9A-HJKMNP-TV-Z]{26}\.part$/;

/** Files in `incoming/` and `documents/` of the data directory; both on one file system, so that keeping is a rename. */
export async function createFileBlobs(directory: string): Promise<Blobs> {
  const incoming = join(directory, 'incoming');
  const documents = join(directory, 'documents');
  await mkdir(incoming, { recursive: true, mode: 0o700 });
  await mkdir(documents, { recursive: true, mode: 0o700 });
  return {
    directories: [incoming, documents],
    receive: async (temporaryName) => {
      const path = join(incoming, temporaryName);
      return createIncoming(path, await open(path, 'wx', 0o600), documents);
    },
    pathOf: (id) => join(documents, id),
    remove: (id) => rm(join(documents, id), { force: true }),
    removeOrphans: async (needed) => {
      const lost = (await readdir(incoming)).filter((name) => OWN_UPLOAD.test(name));
      const unneeded = (await readdir(documents)).filter((id) => OWN_DOCUMENT.test(id) && !needed.has(id));
      for (const name of lost) await rm(join(incoming, name), { force: true });
      for (const id of unneeded) await rm(join(documents, id), { force: true });
      return lost.length + unneeded.length;
    },
  };
}

function createIncoming(path: string, file: FileHandle, documents: string): IncomingBlob {
  let isOpen = true;
  const close = async () => {
    if (!isOpen) return;
    isOpen = false;
    await file.close();
  };
  return {
    path,
    append: async (chunk) => {
      for (let offset = 0; offset < chunk.length; )
        offset += (await file.write(chunk, offset, chunk.length - offset)).bytesWritten;
    },
    keep: async (id) => {
      await file.datasync();
      await close();
      await rename(path, join(documents, id));
      // The name is safe only once the directory is.
      const directory = await open(documents, 'r');
      await directory.sync().finally(() => directory.close());
    },
    discard: async () => {
      await close().catch(() => {});
      await rm(path, { force: true });
    },
  };
}
