import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';
import { removeFile } from './remove-file.js';
import type { BlobFacts } from './storage.js';

/** Writes a document to a new file as it comes, and checks it. After an error there is no file. @throws Error for other bytes */
export async function writeDocument(
  { id, sizeBytes, sha256 }: BlobFacts,
  path: string,
  chunks: AsyncIterable<Uint8Array>,
): Promise<void> {
  const file = await open(path, 'wx', 0o600);
  try {
    try {
      const hash = createHash('sha256');
      let written = 0;
      for await (const chunk of chunks) {
        hash.update(chunk);
        await file.writeFile(chunk);
        written += chunk.length;
      }
      if (written !== sizeBytes) throw new Error(`The document ${id} has ${written} bytes, not ${sizeBytes}`);
      if (hash.digest('hex') !== sha256)
        throw new Error(`The bytes of the document ${id} are not those that were stored`);
    } finally {
      await file.close();
    }
  } catch (error) {
    await removeFile(path);
    throw error;
  }
}
