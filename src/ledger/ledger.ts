import { mkdir, readdir, readFile, rename, stat, unlink, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createId, sortableId } from '../contract/identifiers.js';
import { OcrError } from '../contract/ocr-error.js';
import { withLock } from '../system/lock-file.js';
import { replaceFile } from './durable-file.js';
import { fingerprintOf, isFinished, parseRecord, type Submission, type SubmissionRecord } from './record.js';

const KEEP_FINISHED_MS = 90 * 86_400_000;
const PRUNE_EVERY_MS = 86_400_000;

/**
 * What this machine submitted: one file for each submission, so that any number of processes write at once and lose
 * nothing. Unfinished ones stand in `open/` under their fingerprint, which makes equal commands meet; finished ones in
 * `done/` under their id, for 90 days.
 */
export interface Ledger {
  /**
   * Writes down a submission before it is sent, or finds the unfinished one that asks for the same.
   * @throws OcrError STATE_UNWRITABLE, when nothing was sent yet
   */
  begin(
    submission: Submission,
    options?: { isFresh?: boolean },
  ): Promise<{ record: SubmissionRecord; isJoined: boolean }>;
  /** On disk for good once it has resolved. */
  update(record: SubmissionRecord, changes: Partial<SubmissionRecord>): Promise<SubmissionRecord>;
  finish(record: SubmissionRecord, changes: Partial<SubmissionRecord> & { status: string }): Promise<SubmissionRecord>;
  findJob(jobId: string): Promise<SubmissionRecord | undefined>;
  /** Newest first. */
  list(options?: { unfinishedOnly?: boolean }): Promise<SubmissionRecord[]>;
  forget(record: SubmissionRecord): Promise<void>;
}

export interface LedgerOptions {
  stateDir: string;
  now: () => number;
  /** Told of files that are skipped. */
  debug: (message: string) => void;
}

export function openLedger({ stateDir, now, debug }: LedgerOptions): Ledger {
  const openDir = join(stateDir, 'submissions', 'open');
  const doneDir = join(stateDir, 'submissions', 'done');
  const isoNow = () => new Date(now()).toISOString();

  let made: Promise<unknown> | undefined;
  async function makeDirectories(): Promise<void> {
    const make = async (directory: string) => await mkdir(directory, { recursive: true, mode: 0o700 });
    made ??= Promise.all([make(openDir), make(doneDir)]);
    await made;
  }

  async function create(submission: Submission, isFresh: boolean): Promise<SubmissionRecord> {
    const time = isoNow();
    const id = createId('sub', now());
    const fingerprint = fingerprintOf(submission);
    const record: SubmissionRecord = {
      formatVersion: 1,
      id,
      fingerprint,
      idempotencyKey: `ocr-${sortableId(now())}`,
      createdAt: time,
      updatedAt: time,
      status: 'sending',
      ...submission,
    };
    const name = isFresh ? `${fingerprint}-${id}.json` : `${fingerprint}.json`;
    await replaceFile(join(openDir, name), serialize(record));
    return record;
  }

  /** Unfinished and finished records of a directory with their paths; `prefix` saves reading the others. */
  async function read(directory: string, prefix = ''): Promise<Array<{ path: string; record: SubmissionRecord }>> {
    const names = await readdir(directory).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return [];
      throw unreadable(stateDir, error);
    });
    const found: Array<{ path: string; record: SubmissionRecord }> = [];
    for (const name of names) {
      if (!name.startsWith(prefix) || !name.endsWith('.json')) continue;
      const path = join(directory, name);
      const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
        if (error.code !== 'ENOENT') debug(`ledger: skipped ${path}: ${error.code}`);
        return undefined;
      });
      if (text === undefined) continue;
      const record = parseRecord(text);
      if (record === undefined) debug(`ledger: skipped ${path}: not a record of a submission`);
      else found.push({ path, record });
    }
    return found;
  }

  async function findUnfinished(fingerprint: string): Promise<SubmissionRecord | undefined> {
    const found = await read(openDir, fingerprint);
    const records = found.map(({ record }) => record).filter((record) => !isFinished(record));
    // One that already has its job is the one to join.
    records.sort((a, b) => Number(b.jobId !== undefined) - Number(a.jobId !== undefined) || (a.id < b.id ? 1 : -1));
    return records[0];
  }

  /** Where an unfinished record stands; a place taken by another submission meanwhile is left alone. */
  async function openPath(record: SubmissionRecord): Promise<string> {
    const own = join(openDir, `${record.fingerprint}-${record.id}.json`);
    const shared = join(openDir, `${record.fingerprint}.json`);
    for (const path of [shared, own]) {
      const text = await readFile(path, 'utf8').catch(() => '');
      if (parseRecord(text)?.id === record.id) return path;
    }
    return own;
  }

  const donePath = (record: SubmissionRecord) => join(doneDir, `${record.id}.json`);

  async function readDone(record: SubmissionRecord): Promise<SubmissionRecord | undefined> {
    return parseRecord(await readFile(donePath(record), 'utf8').catch(() => ''));
  }

  async function clearUnreadable(fingerprint: string): Promise<void> {
    const path = join(openDir, `${fingerprint}.json`);
    const record = parseRecord(await readFile(path, 'utf8').catch(() => ''));
    if (record === undefined) await rename(path, `${path}.unreadable`).catch(() => {});
    else if (isFinished(record)) await rename(path, donePath(record)).catch(() => {});
  }

  /** Equal submissions change their records one after the other, and each sees what the one before it wrote. */
  function locked<T>(fingerprint: string, work: () => Promise<T>): Promise<T> {
    return withLock(join(openDir, `${fingerprint}.lock`), work);
  }

  /** The record as it is on disk, by whichever command wrote it last; undefined once it was ended or forgotten. */
  async function readOpen(record: SubmissionRecord): Promise<SubmissionRecord | undefined> {
    return parseRecord(await readFile(await openPath(record), 'utf8').catch(() => ''));
  }

  return {
    async begin(submission, { isFresh = false } = {}) {
      const fingerprint = fingerprintOf(submission);
      try {
        await makeDirectories();
        return await locked(fingerprint, async () => {
          const found = isFresh ? undefined : await findUnfinished(fingerprint);
          if (found !== undefined) {
            // Proves that the 202 can be written down later, before anything is sent.
            const record = { ...found, updatedAt: isoNow() };
            await replaceFile(await openPath(record), serialize(record));
            return { record, isJoined: true };
          }
          if (!isFresh) await clearUnreadable(fingerprint);
          return { record: await create(submission, isFresh), isJoined: false };
        });
      } catch (error) {
        throw error instanceof OcrError ? error : unwritable(stateDir, error);
      }
    },

    async update(record, changes) {
      try {
        return await locked(record.fingerprint, async () => {
          const open = await readOpen(record);
          const done = open === undefined ? await readDone(record) : undefined;
          const next: SubmissionRecord = { ...(open ?? done ?? record), ...changes, updatedAt: isoNow() };
          if (done === undefined) await replaceFile(await openPath(record), serialize(next));
          // An equal command that was quicker has ended it; what this one learned stands beside how that one ended.
          else await replaceFile(donePath(record), serialize({ ...next, status: done.status }));
          return next;
        });
      } catch (error) {
        throw unwritable(stateDir, error, changes.jobId ?? record.jobId);
      }
    },

    async finish(record, changes) {
      const time = isoNow();
      let next: SubmissionRecord = { ...record, ...changes, updatedAt: time, finishedAt: time };
      try {
        await locked(record.fingerprint, async () => {
          const current = await readOpen(record);
          // Forgotten, or ended by an equal command. Or that one has a job by now, of which this command knows nothing:
          // its word does not end it.
          if (current === undefined || (current.jobId !== undefined && record.jobId === undefined)) return;
          next = { ...current, ...changes, updatedAt: time, finishedAt: time };
          const path = await openPath(record);
          // Need not outlast a power cut: then the same command asks for the same job, or sends under the same key, again.
          await replaceFile(path, serialize(next), { isDurable: false });
          await rename(path, donePath(next));
        });
        await prune(openDir, doneDir, now());
      } catch (error) {
        debug(`ledger: could not note the end of ${record.id}: ${String(error)}`);
      }
      return next;
    },

    async findJob(jobId) {
      for (const directory of [openDir, doneDir]) {
        const found = (await read(directory)).find(({ record }) => record.jobId === jobId);
        if (found !== undefined) return found.record;
      }
      return undefined;
    },

    async list({ unfinishedOnly = false } = {}) {
      const found = await read(openDir);
      if (!unfinishedOnly) found.push(...(await read(doneDir)));
      const byId = new Map<string, SubmissionRecord>();
      for (const { record } of found) if (!unfinishedOnly || !isFinished(record)) byId.set(record.id, record);
      return [...byId.values()].sort((a, b) => (a.id < b.id ? 1 : -1));
    },

    async forget(record) {
      for (const path of [await openPath(record), donePath(record)]) {
        await unlink(path).catch((error: NodeJS.ErrnoException) => {
          if (error.code !== 'ENOENT') throw unwritable(stateDir, error);
        });
      }
    },
  };
}

/**
 * Once a day: finished records by their names alone, for ids begin with their time, and temporary files that a killed
 * process left.
 */
async function prune(openDir: string, doneDir: string, nowMs: number): Promise<void> {
  const marker = join(doneDir, '.pruned');
  const lastMs = await modifiedAtMs(marker);
  if (lastMs !== undefined && nowMs - lastMs < PRUNE_EVERY_MS) return;
  await writeFile(marker, '', { mode: 0o600 });
  await utimes(marker, nowMs / 1000, nowMs / 1000);
  const oldest = `sub_${sortableId(nowMs - KEEP_FINISHED_MS).slice(0, 10)}`;
  for (const directory of [openDir, doneDir]) {
    for (const name of await readdir(directory)) {
      const path = join(directory, name);
      const isOldRecord = directory === doneDir && name.startsWith('sub_') && name < oldest;
      const isLeftover = name.endsWith('.tmp') && nowMs - ((await modifiedAtMs(path)) ?? nowMs) > PRUNE_EVERY_MS;
      if (isOldRecord || isLeftover) await unlink(path).catch(() => {});
    }
  }
}

async function modifiedAtMs(path: string): Promise<number | undefined> {
  return await stat(path).then(
    (found) => found.mtimeMs,
    () => undefined,
  );
}

function serialize(record: SubmissionRecord): string {
  return `${JSON.stringify(record, null, 1)}\n`;
}

function unwritable(stateDir: string, cause: unknown, jobId?: string): OcrError {
  const reason = (cause as NodeJS.ErrnoException).code ?? String(cause);
  const what = jobId === undefined ? 'Nothing was sent' : `The job goes on as ${jobId}`;
  return new OcrError(
    'STATE_UNWRITABLE',
    `Cannot write the record of submissions in ${stateDir}: ${reason}. ${what}.`,
    {
      hint: 'Free some space, or set OCR_STATE_DIR to a directory that you can write.',
      cause,
    },
  );
}

function unreadable(stateDir: string, cause: NodeJS.ErrnoException): OcrError {
  return new OcrError('STATE_UNWRITABLE', `Cannot read the record of submissions in ${stateDir}: ${cause.code}`, {
    hint: 'Set OCR_STATE_DIR to a directory that you can read and write.',
    cause,
  });
}
