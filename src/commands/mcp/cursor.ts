import { createHash } from 'node:crypto';
import { OcrError } from '../../contract/ocr-error.js';

/** The place at which a text goes on: what was asked for, and how far it was given. */
export interface Cursor {
  path: string;
  format: string | undefined;
  pages: string | undefined;
  /** Index of the first character that was not given yet. */
  offset: number;
  /** Digest of the whole text: the document may have changed. */
  digest: string;
}

export function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 12);
}

export function writeCursor({ path, format, pages, offset, digest }: Cursor): string {
  return Buffer.from(JSON.stringify([offset, digest, path, format ?? null, pages ?? null])).toString('base64url');
}

/** @throws OcrError USAGE */
export function readCursor(text: string): Cursor {
  try {
    const [offset, digest, path, format, pages] = JSON.parse(Buffer.from(text, 'base64url').toString('utf8'));
    const isValid =
      Number.isSafeInteger(offset) && offset > 0 && typeof digest === 'string' && typeof path === 'string';
    if (isValid) return { offset, digest, path, format: format ?? undefined, pages: pages ?? undefined };
  } catch {
    // Below.
  }
  throw new OcrError('USAGE', 'The cursor is not one that an answer gave', {
    hint: 'Give nextCursor of the last answer unchanged, or leave the cursor out to begin again.',
  });
}
