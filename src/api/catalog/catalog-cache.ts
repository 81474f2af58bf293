import { createHash, randomBytes } from 'node:crypto';
import { mkdir, readdir, readFile, rename, stat, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Endpoint } from '../../contract/endpoint.js';

/** A catalog, unchanged from the service's answer. */
interface CachedCatalog {
  etag: string | undefined;
  /** The answer's body. */
  text: string;
}

/** Catalogs of services on disk. Nothing depends on them: a catalog that cannot be read or written is fetched again. */
export interface CatalogCache {
  read(endpoint: Endpoint): Promise<CachedCatalog | undefined>;
  write(endpoint: Endpoint, catalog: CachedCatalog): Promise<void>;
}

const MAX_TEXT_LENGTH = 4 * 1024 * 1024;
const FORGET_AFTER_MS = 90 * 86_400_000;

/** @param findDirectory called when the cache is used; the directory is made with mode 0700, its files with 0600 */
export function openCatalogCache(
  findDirectory: () => Promise<string>,
  debug: (message: string) => void,
  now: () => number,
): CatalogCache {
  return {
    async read(endpoint) {
      try {
        const { etag, text } = JSON.parse(await readFile(await pathOf(endpoint), 'utf8')) as Record<string, unknown>;
        if (typeof text !== 'string') return undefined;
        return { etag: typeof etag === 'string' && etag !== '' ? etag : undefined, text };
      } catch {
        return undefined;
      }
    },
    async write(endpoint, { etag, text }) {
      if (text.length > MAX_TEXT_LENGTH) return;
      try {
        const directory = await findDirectory();
        await mkdir(directory, { recursive: true, mode: 0o700 });
        const path = await pathOf(endpoint);
        const temporary = `${path}.${randomBytes(4).toString('hex')}.tmp`;
        await writeFile(temporary, JSON.stringify({ serverId: endpoint.serverId, etag, text }), { mode: 0o600 });
        await rename(temporary, path);
        await forgetOld(directory, now());
      } catch (error) {
        debug(`the catalog is not kept: ${(error as Error).message}`);
      }
    },
  };

  /** Names one file for each server and key: a catalog says what that key may use. */
  async function pathOf({ serverId, apiKey }: Endpoint): Promise<string> {
    const name = createHash('sha256').update(`${serverId}\n${apiKey}`).digest('hex').slice(0, 32);
    return join(await findDirectory(), `${name}.json`);
  }
}

async function forgetOld(directory: string, nowMs: number): Promise<void> {
  for (const name of await readdir(directory)) {
    const path = join(directory, name);
    if (nowMs - (await stat(path)).mtimeMs > FORGET_AFTER_MS) await unlink(path);
  }
}
