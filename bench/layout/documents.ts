import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { deserialize, serialize } from 'node:v8';
import { readImagePages } from '../../dist/engine/reading/read-image.js';
import { readPdfPages } from '../../dist/engine/reading/read-pdf.js';
import { createRecognitionPool } from '../../dist/engine/reading/recognition-pool.js';
import type { PageInput } from '../../src/engine/stages/layout/lay-out-document.js';

/** A public document: nothing of it is in this repository. */
export interface ListedDocument {
  /** Address of the git repository that has it. */
  repository: string;
  commit: string;
  path: string;
  sha256: string;
  /** The sets are of different repositories: a rule fitted to one is put to the test by the other. */
  set: string;
  /** Its pages are recognised, though they may have a text layer. */
  recognise?: boolean;
}

export interface PreparedDocument {
  name: string;
  set: string;
  /** A fresh copy of what the layout is given: it changes its input. */
  pages(): PageInput[];
}

const MAX_PIXELS = 100_000_000;
const PAGE_TIMEOUT_MS = 300_000;
/** Folder of the recognised pages, within that of the documents; to be removed when recognition gives something else. */
const READINGS = 'readings';
const PREFIX_LENGTH = 12;
const MIME_TYPES: Record<string, string> = {
  ...{ pdf: 'application/pdf', png: 'image/png', jpg: 'image/jpeg', jpeg: 'image/jpeg' },
  ...{ tif: 'image/tiff', tiff: 'image/tiff' },
};

/**
 * Reads the listed documents from a folder, in which the name of each begins with twelve digits of its SHA-256.
 * Gives the text layer or the recognised lines of each; missing, changed and unreadable ones are reported and left out.
 */
export async function prepareDocuments(listed: readonly ListedDocument[], folder: string): Promise<PreparedDocument[]> {
  const names = new Map(readdirSync(folder).map((name) => [name.slice(0, PREFIX_LENGTH), name]));
  const prepared: PreparedDocument[] = [];
  for (const document of listed) {
    const { repository, path, sha256, set } = document;
    const name = names.get(sha256.slice(0, PREFIX_LENGTH));
    const leaveOut = (why: string) => console.error(`left out: ${repository} ${path}: ${why}`);
    if (name === undefined) {
      leaveOut('not in the folder');
      continue;
    }
    if (
      createHash('sha256')
        .update(readFileSync(join(folder, name)))
        .digest('hex') !== sha256
    ) {
      leaveOut('its SHA-256 differs');
      continue;
    }
    try {
      const pages = await (document.recognise === true
        ? readRecognised(folder, name)
        : readPages(join(folder, name), 'never'));
      prepared.push({ name, set, pages: () => copy(pages) });
    } catch (error) {
      leaveOut(error instanceof Error ? error.message : String(error));
    }
  }
  return prepared;
}

async function readRecognised(folder: string, name: string): Promise<PageInput[]> {
  const cached = join(folder, READINGS, `${name}.bin`);
  if (existsSync(cached)) return deserialize(readFileSync(cached)) as PageInput[];
  const pages = await readPages(join(folder, name), 'force');
  mkdirSync(join(folder, READINGS), { recursive: true });
  writeFileSync(cached, serialize(pages));
  return pages;
}

async function readPages(path: string, ocr: 'force' | 'never'): Promise<PageInput[]> {
  const mimeType = MIME_TYPES[path.slice(path.lastIndexOf('.') + 1).toLowerCase()] ?? 'application/pdf';
  const pool = createRecognitionPool(1, PAGE_TIMEOUT_MS);
  const options = { ocr, maxPixels: MAX_PIXELS, parallelism: 1 };
  const reading = { path, mimeType, options, pool, warnings: [], report: async () => {} };
  try {
    const pages = await (mimeType === MIME_TYPES.pdf ? readPdfPages(reading) : readImagePages(reading));
    return pages.map(({ number, content }) => ({ number, content }));
  } finally {
    await pool.close();
  }
}

/** Copies data; functions, of which a page has some that turn areas, stay the same. */
function copy<T>(value: T): T {
  if (Array.isArray(value)) return value.map(copy) as T;
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof Set) return new Set(value) as T;
  const result: Record<string, unknown> = {};
  for (const key in value) result[key] = copy(value[key]);
  return result as T;
}
