import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createId } from '../../../contract/identifiers.js';
import type { Store } from '../../../store/store.js';
import type { ServiceConfig } from '../../config/service-config.js';
import type { DocumentPool } from '../../documents/pool.js';
import { type RenderedPage, renderPage } from '../../documents/render-page.js';
import type { Upload } from '../../http/receive-upload.js';

/** Time for which a document and its pictures are kept. */
export const KEPT_MS = 15 * 60_000;
const MAX_KEPT_BYTES = 64 * 1024 * 1024;

/** A document whose pages somebody looks at. */
interface PicturedDocument {
  organisationId: string;
  mimeType: string;
  password: string | undefined;
  bytes: Uint8Array;
}

/**
 * Documents that were tried, and pictures of their pages, in the memory of this process alone: nothing of them is on disk but
 * while a page is drawn.
 */
export interface KeptPictures {
  /** Returns the bytes of an upload that may be kept; undefined for one beyond all the room. */
  read(upload: Pick<Upload, 'blob' | 'sizeBytes'>): Promise<Uint8Array | undefined>;
  /** Keeps a document under the id of its call. The oldest make room for it. */
  keep(id: string, document: PicturedDocument): void;
  has(id: string): boolean;
  /** Draws a page, once. Returns the reason where it cannot be drawn; undefined for a document that is not kept. */
  draw(id: string, page: number, rotation: number): Promise<RenderedPage | { reason: string } | undefined>;
}

interface Kept {
  document: PicturedDocument;
  keptAtMs: number;
  bytes: number;
  pages: Map<string, Promise<RenderedPage | { reason: string }>>;
}

interface Options {
  store: { clock: Pick<Store['clock'], 'now'> };
  pool: Pick<DocumentPool, 'perform'>;
  config: Pick<ServiceConfig, 'documentTimeoutMs' | 'documentIdleTimeoutMs' | 'documentMemoryBytes' | 'maxPixels'>;
}

export function createKeptPictures(
  { store: { clock }, pool, config }: Options,
  maxBytes: number = MAX_KEPT_BYTES,
): KeptPictures {
  /** The oldest first. */
  const all = new Map<string, Kept>();
  let totalBytes = 0;
  let timer: NodeJS.Timeout | undefined;

  function drop(id: string): void {
    totalBytes -= all.get(id)?.bytes ?? 0;
    all.delete(id);
  }

  function dropExpired(): void {
    for (const [id, { keptAtMs }] of all) if (clock.now() - keptAtMs >= KEPT_MS) drop(id);
    clearTimeout(timer);
    timer = all.size === 0 ? undefined : setTimeout(dropExpired, KEPT_MS / 15).unref();
  }

  /** Counts further bytes of a document. The oldest make room for them; one that is too large alone goes itself. */
  function add(id: string, kept: Kept, bytes: number): void {
    if (all.get(id) !== kept) return;
    kept.bytes += bytes;
    totalBytes += bytes;
    if (kept.bytes > maxBytes) drop(id);
    for (const oldest of [...all.keys()].filter((other) => other !== id)) if (totalBytes > maxBytes) drop(oldest);
  }

  function find(id: string): Kept | undefined {
    dropExpired();
    return all.get(id);
  }

  async function drawPage(document: PicturedDocument, page: number, rotation: number) {
    const { bytes, organisationId, mimeType, password } = document;
    const paths: string[] = [];
    const handOver = async (directory: string): Promise<string> => {
      // A name of ours, which the next start removes if this process dies.
      const path = join(directory, createId('doc'));
      paths.push(path);
      await writeFile(path, bytes, { mode: 0o600 });
      return path;
    };
    const known = password === undefined ? {} : { password };
    const task = { organisationId, mimeType, page, rotation, ...known, format: 'jpeg', handOver } as const;
    try {
      return await renderPage(pool, config, task);
    } finally {
      await Promise.all(paths.map((path) => rm(path, { force: true })));
    }
  }

  return {
    read: async ({ blob, sizeBytes }) => (sizeBytes > maxBytes ? undefined : await blob.read()),
    keep: (id, document) => {
      dropExpired();
      if (all.has(id)) return;
      const kept: Kept = { document, keptAtMs: clock.now(), bytes: 0, pages: new Map() };
      all.set(id, kept);
      add(id, kept, document.bytes.length);
      dropExpired();
    },
    has: (id) => find(id) !== undefined,
    draw: async (id, page, rotation) => {
      const kept = find(id);
      if (kept === undefined) return undefined;
      const name = `${page} ${rotation}`;
      const known = kept.pages.get(name);
      if (known !== undefined) return await known;
      const drawing = drawPage(kept.document, page, rotation);
      kept.pages.set(name, drawing);
      // A later look tries again: the pool may have been busy.
      const forget = () => kept.pages.delete(name);
      try {
        const drawn = await drawing;
        if ('reason' in drawn) forget();
        else add(id, kept, drawn.bytes.length);
        return drawn;
      } catch (error) {
        forget();
        throw error;
      }
    },
  };
}
