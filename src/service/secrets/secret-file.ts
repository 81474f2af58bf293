import { dirname } from 'node:path';
import { OcrError } from '../../contract/ocr-error.js';
import { isNoSpace, reasonOfDirectory } from '../../contract/system-reason.js';
import { makeDirectory } from '../../system/make-directory.js';
import { writeFileOnce } from '../../system/write-file-atomically.js';

/** Writes a secret unless there is one, in a directory that is made for this user alone; false when there is one. */
export async function writeSecretOnce(path: string, secret: Uint8Array): Promise<boolean> {
  makeDirectory(dirname(path), 0o700);
  return await writeFileOnce(path, secret);
}

/** Explains why the file of a secret cannot be read or made: its path is a setting of its own, apart from the data directory. */
export function explainSecretFile(path: string, error: unknown): OcrError {
  if (error instanceof OcrError) return error;
  const remedy = isNoSpace(error) ? 'Free some space there' : 'Let this user read and write it';
  // A file that stands where the directory has to be; one of the secret's own name is no error.
  return new OcrError('CONFIG_INVALID', `Cannot use the secret ${path}: ${reasonOfDirectory(error)}`, {
    hint: `${remedy}, or name another file: OCR_SERVE_SECRET_FILE=<file>`,
    cause: error,
  });
}
