import { renameSync, rmSync } from 'node:fs';
import { createId, sortableId } from '../contract/identifiers.js';
import { OcrError } from '../contract/ocr-error.js';
import { isNoSpace, reasonOf } from '../contract/system-reason.js';
import { directoryHint } from '../system/directory-hint.js';
import { processTag } from '../system/process-tag.js';
import { replaceFile, replaceFileUnsynced } from './durable-file.js';
import { prune } from './prune.js';
import { chooseToJoin, fingerprintOf, type Submission, type SubmissionRecord } from './record.js';
import { RecordFiles, readRecord, type StoredRecord } from './record-files.js';

/**
 * The submissions of this machine: one file for each submission, so that any number of processes write at once and lose
 * nothing. Unfinished ones stand in `open/` under their fingerprint, which makes equal commands meet; finished ones in
 * `done/` under their id, for 90 days. Where a record stands says whether it has ended, and its last change when.
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
  /**
   * On disk once it has resolved: for good, or where it is not `isSynced`, until a power cut, which may take it back.
   * @throws OcrError STATE_UNWRITABLE
   */
  update(
    record: SubmissionRecord,
    changes: Partial<SubmissionRecord>,
    options?: { isSynced?: boolean },
  ): Promise<SubmissionRecord>;
  /** Ends it: the same is sent anew from now on. Nothing is written of what an update has written. */
  finish(record: SubmissionRecord, changes: Partial<SubmissionRecord> & { status: string }): Promise<void>;
  /**
   * The records with a job's id, in small or capital letters, unfinished ones first and each read when it is asked for: of
   * one service, or of several that gave the same.
   */
  findJobs(jobId: string): Iterable<SubmissionRecord>;
  /** Those with a request's id, likewise; of several finished ones of a service, which answered the same again, the newest first. */
  findRequests(requestId: string): Iterable<SubmissionRecord>;
  /** Newest first. */
  list(options?: { unfinishedOnly?: boolean }): Promise<SubmissionRecord[]>;
  forget(record: SubmissionRecord): Promise<void>;
  /** Takes out what was begun and never sent, unless an equal command has joined it meanwhile. */
  withdraw(record: SubmissionRecord): Promise<void>;
}

export interface LedgerOptions {
  stateDir: string;
  now: () => number;
  /** Told of files that are skipped. */
  debug: (message: string) => void;
}

export function openLedger({ stateDir, now, debug }: LedgerOptions): Ledger {
  const files = new RecordFiles(stateDir, debug);
  const isoNow = () => new Date(now()).toISOString();

  return {
    async begin(submission, { isFresh = false } = {}) {
      const fingerprint = fingerprintOf(submission);
      try {
        files.makeDirectories();
        return await files.locked(fingerprint, async () => {
          const found = isFresh ? undefined : findUnfinished(files, fingerprint, submission.profile);
          if (found !== undefined) {
            // Proves that the 202 can be written down later, before anything is sent.
            const record = { ...found.record, sender: processTag(), updatedAt: isoNow() };
            await replaceFile(found.path, serialize(record));
            return { record, isJoined: true };
          }
          files.clearPlace(fingerprint);
          const record = createRecord(submission, fingerprint, now());
          await replaceFile(files.placeFor(record), serialize(record));
          return { record, isJoined: false };
        });
      } catch (error) {
        throw error instanceof OcrError ? error : unwritable(stateDir, error);
      }
    },

    async update(record, changes, { isSynced = true } = {}) {
      const replace = isSynced ? replaceFile : replaceFileUnsynced;
      try {
        return await files.locked(record.fingerprint, async () => {
          const open = files.findOpen(record);
          const done = open === undefined ? readRecord(files.donePath(record)) : undefined;
          const updatedAt = isoNow();
          const heard = changes.status === undefined ? {} : { heardAt: updatedAt };
          const next: SubmissionRecord = { ...(open?.record ?? done ?? record), ...changes, ...heard, updatedAt };
          if (done === undefined) await replace(open?.path ?? files.ownPath(record), serialize(next));
          // An equal command that was quicker has ended it; what this one learned stands beside how that one ended.
          else
            await replace(
              files.donePath(record),
              serialize({ ...next, status: done.status, updatedAt: done.updatedAt }),
            );
          return next;
        });
      } catch (error) {
        throw unwritable(stateDir, error, changes.jobId ?? record.jobId);
      }
    },

    async finish(record, changes) {
      try {
        await files.locked(record.fingerprint, () => {
          const open = files.findOpen(record);
          // Forgotten, or ended by an equal command. Or that one has a job by now, of which this command knows nothing:
          // its word does not end it.
          if (open === undefined || (open.record.jobId !== undefined && record.jobId === undefined)) return;
          const next = { ...open.record, ...changes };
          // Need not outlast a power cut: then the same command asks for the same job, or sends under the same key, again.
          if (serialize(next) !== serialize(open.record)) {
            replaceFileUnsynced(open.path, serialize({ ...next, updatedAt: isoNow() }));
          }
          renameSync(open.path, files.donePath(record));
        });
        await prune(files.openDir, files.doneDir, now());
      } catch (error) {
        debug(`ledger: could not note the end of ${record.id}: ${String(error)}`);
      }
    },

    findJobs: (jobId) => findById(files, 'jobId', jobId),

    findRequests: (requestId) => findById(files, 'requestId', requestId),

    async list({ unfinishedOnly = false } = {}) {
      const records = unfinishedOnly ? files.readOpen().map(({ record }) => record) : files.readAll();
      // One that ends meanwhile is read twice.
      const byId = new Map<string, SubmissionRecord>();
      for (const record of records) byId.set(record.id, record);
      return [...byId.values()].sort((a, b) => (a.id < b.id ? 1 : -1));
    },

    async forget(record) {
      const open = files.findOpen(record);
      try {
        for (const path of [open?.path, files.donePath(record)]) if (path !== undefined) rmSync(path, { force: true });
      } catch (error) {
        throw unwritable(stateDir, error);
      }
    },

    async withdraw(record) {
      await files.locked(record.fingerprint, () => {
        const open = files.findOpen(record);
        // A command that joins the submission writes its record anew.
        if (open?.record.updatedAt === record.updatedAt && open.record.jobId === undefined) rmSync(open.path);
      });
    },
  };
}

function createRecord(submission: Submission, fingerprint: string, nowMs: number): SubmissionRecord {
  const time = new Date(nowMs).toISOString();
  return {
    formatVersion: 1,
    id: createId('sub', nowMs),
    fingerprint,
    idempotencyKey: `ocr-${sortableId(nowMs)}`,
    createdAt: time,
    updatedAt: time,
    status: 'sending',
    sender: processTag(),
    ...submission,
  };
}

function findUnfinished(files: RecordFiles, fingerprint: string, profile: string): StoredRecord | undefined {
  const found = files.readOpen({ prefix: fingerprint });
  const chosen = chooseToJoin(
    found.map(({ record }) => record),
    profile,
  );
  return found.find(({ record }) => record === chosen);
}

/** The records with an id; without any, those whose id differs in small and capital letters alone. */
function* findById(files: RecordFiles, name: 'jobId' | 'requestId', id: string): Iterable<SubmissionRecord> {
  const alike: SubmissionRecord[] = [];
  let isFound = false;
  for (const record of files.readAll({ containing: JSON.stringify(id).toLowerCase() })) {
    if (record[name] === id) {
      isFound = true;
      yield record;
    } else if (record[name]?.toLowerCase() === id.toLowerCase()) alike.push(record);
  }
  if (!isFound) yield* alike;
}

function serialize(record: SubmissionRecord): string {
  return `${JSON.stringify(record, null, 1)}\n`;
}

function unwritable(stateDir: string, cause: unknown, jobId?: string): OcrError {
  const what = jobId === undefined ? 'Nothing was sent' : `The job goes on as ${jobId}`;
  return new OcrError(
    'STATE_UNWRITABLE',
    `Cannot write the record of submissions in ${stateDir}: ${reasonOf(cause)}. ${what}.`,
    {
      hint: directoryHint('OCR_STATE_DIR', isNoSpace(cause)),
      cause,
    },
  );
}
