import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseRecord, type SubmissionRecord } from './record.js';

/** A record and the file that it stands in. */
export interface StoredRecord {
  path: string;
  record: SubmissionRecord;
}

/** Undefined where there is no record that can be understood. */
export function readRecord(path: string): SubmissionRecord | undefined {
  try {
    return parseRecord(readFileSync(path, 'utf8'));
  } catch {
    return undefined;
  }
}

export interface ReadOptions {
  /** Prefix of the names of the files to read. */
  prefix?: string;
  /** Records without this text in them, in small letters, are not even parsed: of many thousands a few are wanted. */
  containing?: string;
  /** Told of files that are skipped. */
  debug: (message: string) => void;
}

/**
 * The records of a directory, in the reverse order of their names: of finished ones, those that began last come first.
 * None where there is no directory. Read when they are asked for, and without handing each to a thread, which takes five
 * times as long.
 * @throws ErrnoException where the directory cannot be listed
 */
export function readRecords(directory: string, options: ReadOptions): Iterable<StoredRecord> {
  const { prefix = '' } = options;
  const names = listNames(directory).filter((name) => name.startsWith(prefix) && name.endsWith('.json'));
  return readEach(
    names
      .sort()
      .reverse()
      .map((name) => join(directory, name)),
    options,
  );
}

function* readEach(paths: string[], { containing = '', debug }: ReadOptions): Generator<StoredRecord> {
  for (const path of paths) {
    let text: string;
    try {
      text = readFileSync(path, 'utf8');
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      // Another command has ended it meanwhile.
      if (code !== 'ENOENT') debug(`ledger: skipped ${path}: ${code}`);
      continue;
    }
    if (!text.toLowerCase().includes(containing)) continue;
    const record = parseRecord(text);
    if (record === undefined) debug(`ledger: skipped ${path}: not a record of a submission`);
    else yield { path, record };
  }
}

function listNames(directory: string): string[] {
  try {
    return readdirSync(directory);
  } catch (error) {
    // A home that is /dev/null has no directories either.
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return [];
    throw error;
  }
}
