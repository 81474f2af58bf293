import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import type { LargeResults } from '../large-results.js';
import type { S3Client } from './client.js';
import { listOwnIds } from './own-keys.js';

const compress = promisify(gzip);
const decompress = promisify(gunzip);

/** Results as compressed objects of a bucket. */
export function createResultObjects(client: S3Client, prefix: string): LargeResults {
  return {
    put: async (id, body) => {
      const bytes = await compress(body);
      const sha256 = createHash('sha256').update(bytes).digest('hex');
      await client.put(prefix + id, { sizeBytes: bytes.length, sha256, open: () => bytes });
    },
    get: async (id) => {
      const bytes = await client.get(prefix + id, async (chunks) => {
        const whole: Uint8Array[] = [];
        for await (const chunk of chunks) whole.push(chunk);
        return Buffer.concat(whole);
      });
      return (await decompress(bytes)).toString('utf8');
    },
    remove: (id) => client.remove(prefix + id),
    list: () => listOwnIds(client, prefix, 'res'),
  };
}
