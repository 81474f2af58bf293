import { copyFile, link, mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { cannotLink } from '../../system/place-file.js';
import { syncDirectory } from '../../system/sync-directory.js';
import { removeFile } from './remove-file.js';
import { BlobMissingError, type BlobStorage, OWN_DOCUMENT } from './storage.js';

const IDS_AT_ONCE = 500;

/**
 * Documents as files of the data directory. Uploads, documents and the directories of readers are on one file system, so
 * keeping a document is a rename and handing it over a hard link.
 */
export async function openFileStorage(directory: string): Promise<BlobStorage> {
  const documents = join(directory, 'documents');
  await mkdir(documents, { recursive: true, mode: 0o700 });
  return {
    isShared: false,
    keepEndedMs: 0,
    put: async ({ id }, upload) => {
      await upload.keepAs(join(documents, id));
      await syncDirectory(documents).catch(async (error: unknown) => {
        await removeFile(join(documents, id));
        throw error;
      });
    },
    get: async ({ id }, path) => {
      try {
        await link(join(documents, id), path);
      } catch (error) {
        const { code = '' } = error as NodeJS.ErrnoException;
        if (code === 'ENOENT')
          throw new BlobMissingError(`The document ${id} is not in ${documents}`, { cause: error });
        if (!cannotLink(error)) throw error;
        await copyFile(join(documents, id), path).catch(async (failure: unknown) => {
          await removeFile(path);
          throw failure;
        });
      }
    },
    remove: (id) => removeFile(join(documents, id)),
    list: async function* () {
      const ids = (await readdir(documents)).filter((name) => OWN_DOCUMENT.test(name));
      for (let at = 0; at < ids.length; at += IDS_AT_ONCE) yield ids.slice(at, at + IDS_AT_ONCE);
    },
  };
}
