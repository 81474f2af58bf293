import { closeSync, existsSync, fstatSync, openSync, readSync } from 'node:fs';
import { basename, join } from 'node:path';

/** Folder for unpacked data in a folder of installed languages, from which document processes may read. */
const UNPACKED = '.unpacked';
const PACKED_END = '.gz';
/** End of a gzip file: checksum and length of what is in it (RFC 1952). */
const TRAILER_BYTES = 8;

/**
 * Returns the path for the unpacked data of a packed model: native Tesseract reads no packed data. Each content has a folder
 * of its own, so that an update of the package never meets the data of another version. Undefined for a file that is not packed.
 * @throws what the file system does
 */
export function unpackedPathOf(path: string, languageFolder: string): string | undefined {
  if (!path.endsWith(PACKED_END)) return undefined;
  const trailer = Buffer.alloc(TRAILER_BYTES);
  const file = openSync(path, 'r');
  try {
    readSync(file, trailer, 0, TRAILER_BYTES, Math.max(0, fstatSync(file).size - TRAILER_BYTES));
  } finally {
    closeSync(file);
  }
  return join(languageFolder, UNPACKED, trailer.toString('hex'), basename(path, PACKED_END));
}

/** Returns the unpacked data of a model, if one of the folders has it. */
export function findUnpacked(path: string, languageFolders: readonly string[]): string | undefined {
  try {
    return languageFolders
      .map((folder) => unpackedPathOf(path, folder))
      .find((unpacked) => unpacked !== undefined && existsSync(unpacked));
  } catch {
    // A document process may read only some folders, and Node 20 throws for the others.
    return undefined;
  }
}
