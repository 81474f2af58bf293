import { existsSync, readdirSync, readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { OcrError } from '../contract/ocr-error.js';
import { isNoSpace, reasonOf } from '../contract/system-reason.js';
import { directoryHint } from '../system/directory-hint.js';
import { withLock } from '../system/lock-file.js';
import { makeDirectory } from '../system/make-directory.js';
import { parseRecord, type SubmissionRecord } from './record.js';

/** A record and the file that it stands in. */
export interface StoredRecord {
  path: string;
  record: SubmissionRecord;
}

/**
 * The files of the submissions of one state directory. Unfinished ones stand in `open/` under their fingerprint, finished
 * ones in `done/` under their id.
 */
export class RecordFiles {
  readonly openDir: string;
  readonly doneDir: string;
  #areDirectoriesMade = false;

  constructor(
    private readonly stateDir: string,
    private readonly debug: (message: string) => void,
  ) {
    this.openDir = join(stateDir, 'submissions', 'open');
    this.doneDir = join(stateDir, 'submissions', 'done');
  }

  makeDirectories(): void {
    if (this.#areDirectoriesMade) return;
    for (const directory of [this.openDir, this.doneDir]) makeDirectory(directory, 0o700);
    this.#areDirectoriesMade = true;
  }

  /** Runs `work` alone among equal submissions: each sees what the one before it wrote. */
  locked<T>(fingerprint: string, work: () => T | Promise<T>): Promise<T> {
    return withLock(join(this.openDir, `${fingerprint}.lock`), work, { isLink: true });
  }

  /** The file of a new submission: the shared place, or one of its own beside equal ones. */
  placeFor(record: SubmissionRecord): string {
    const shared = this.#sharedPath(record.fingerprint);
    return existsSync(shared) ? this.ownPath(record) : shared;
  }

  /** The file of a submission that was begun beside equal ones. */
  ownPath({ fingerprint, id }: SubmissionRecord): string {
    return join(this.openDir, `${fingerprint}-${id}.json`);
  }

  donePath({ id }: SubmissionRecord): string {
    return join(this.doneDir, `${id}.json`);
  }

  /** Moves an unreadable record away from a submission's file name: nobody can join it. */
  clearPlace(fingerprint: string): void {
    const path = this.#sharedPath(fingerprint);
    if (existsSync(path) && readRecord(path) === undefined) renameSync(path, `${path}.unreadable`);
  }

  /**
   * The record as it is on disk, by whichever command wrote it last; undefined once it was ended or forgotten. A place
   * that another submission has taken meanwhile is left alone.
   */
  findOpen(record: SubmissionRecord): StoredRecord | undefined {
    for (const path of [this.#sharedPath(record.fingerprint), this.ownPath(record)]) {
      const found = readRecord(path);
      if (found?.id === record.id) return { path, record: found };
    }
    return undefined;
  }

  /** The unfinished submissions, or those of one fingerprint. @throws OcrError STATE_UNWRITABLE */
  readOpen(only: { prefix?: string } = {}): StoredRecord[] {
    return [...this.#read(this.openDir, only)];
  }

  /** All records, unfinished ones first, each read when it is asked for. @throws OcrError STATE_UNWRITABLE */
  *readAll(only: { containing?: string } = {}): Iterable<SubmissionRecord> {
    for (const { record } of this.#read(this.openDir, only)) yield record;
    for (const { record } of this.#read(this.doneDir, only)) yield asFinished(record);
  }

  /** The names of the files of finished submissions. */
  listDone(): string[] {
    return listNames(this.doneDir);
  }

  /** Finished records by the names of their files; without those that are gone or cannot be understood. */
  readDone(names: readonly string[]): SubmissionRecord[] {
    return names.flatMap((name) => {
      const record = readRecord(join(this.doneDir, name));
      return record === undefined ? [] : [asFinished(record)];
    });
  }

  /** The file of a submission that had no unfinished equal when it was begun. */
  #sharedPath(fingerprint: string): string {
    return join(this.openDir, `${fingerprint}.json`);
  }

  #read(directory: string, only: { prefix?: string; containing?: string }): Iterable<StoredRecord> {
    try {
      return readRecords(directory, { ...only, debug: this.debug });
    } catch (error) {
      throw unreadable(this.stateDir, error as NodeJS.ErrnoException);
    }
  }
}

/** A record of `done/`: its last change is its end. */
function asFinished(record: SubmissionRecord): SubmissionRecord {
  return { ...record, finishedAt: record.updatedAt };
}

function unreadable(stateDir: string, cause: NodeJS.ErrnoException): OcrError {
  return new OcrError('STATE_UNWRITABLE', `Cannot read the record of submissions in ${stateDir}: ${reasonOf(cause)}`, {
    hint: directoryHint('OCR_STATE_DIR', isNoSpace(cause)),
    cause,
  });
}

/** Undefined where there is no record that can be understood. */
export function readRecord(path: string): SubmissionRecord | undefined {
  try {
    return parseRecord(readFileSync(path, 'utf8'));
  } catch {
    return undefined;
  }
}

interface ReadOptions {
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
function readRecords(directory: string, options: ReadOptions): Iterable<StoredRecord> {
  const { prefix = '' } = options;
  const names = listNames(directory).filter((name) => name.startsWith(prefix));
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

/** The names of the files of records in a directory. */
function listNames(directory: string): string[] {
  try {
    return readdirSync(directory).filter((name) => name.endsWith('.json'));
  } catch (error) {
    // A home that is /dev/null has no directories either.
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return [];
    throw error;
  }
}
