import { renameSync, rmSync } from 'node:fs';
import { createId, sortableId } from '../contract/identifiers.js';
import { OcrError } from '../contract/ocr-error.js';
import { isNoSpace, reasonOf } from '../contract/system-reason.js';
import { directoryHint } from '../system/directory-hint.js';
import { processTag } from '../system/process-tag.js';
import { retryInUseNow } from '../system/retry-in-use.js';
import { replaceFile, replaceFileUnsynced } from './durable-file.js';
import { prune } from './prune.js';
import {
  addInputName,
  chooseToJoin,
  fingerprintOf,
  isFinished,
  type Submission,
  type SubmissionRecord,
} from './record.js';
import { RecordFiles, readRecord, type StoredRecord } from './record-files.js';

/**
 * The submissions of this machine, one file each, so that any number of processes write at once and lose nothing. An
 * unfinished record is in `open/` under its fingerprint, where an equal command finds it. A finished one is in `done/` under
 * its id, for 90 days after its last change.
 */
export interface Ledger {
  /**
   * Records a submission before it is sent, or finds the unfinished record of an equal one.
   * @throws OcrError STATE_UNWRITABLE; nothing was sent then
   */
  begin(
    submission: Submission,
    options?: { isFresh?: boolean },
  ): Promise<{ record: SubmissionRecord; isJoined: boolean }>;
  /**
   * Resolves with the changed record when the change is on disk. Without `isSynced` a power cut may undo it.
   * @throws OcrError STATE_UNWRITABLE
   */
  update(
    record: SubmissionRecord,
    changes: Partial<SubmissionRecord>,
    options?: { isSynced?: boolean },
  ): Promise<SubmissionRecord>;
  /**
   * Moves the record to the finished ones: an equal command sends its document again. Does not write again what `update` wrote.
   * A record that was given as finished gets another end: its result was deleted.
   */
  finish(record: SubmissionRecord, changes: Partial<SubmissionRecord> & { status: string }): Promise<void>;
  /**
   * Yields the records with a job's id, in small or capital letters, unfinished ones first, each read when it is asked for.
   * Several services may have given the same id.
   */
  findJobs(jobId: string): Iterable<SubmissionRecord>;
  /** Yields the records with a request's id in the same way. A service that repeats an answer gives several; the newest is first. */
  findRequests(requestId: string): Iterable<SubmissionRecord>;
  /** Yields the records whose id of this kind begins with `start`, in small or capital letters. */
  findBeginnings(name: 'jobId' | 'requestId', start: string): Iterable<SubmissionRecord>;
  /**
   * Begins to watch the records. Each call of the result returns the unfinished ones, and those that were finished since the
   * call before.
   */
  watch(): () => SubmissionRecord[];
  /** Lists the records, newest first. */
  list(options?: { unfinishedOnly?: boolean }): Promise<SubmissionRecord[]>;
  forget(record: SubmissionRecord): Promise<void>;
  /** Removes a record that was never sent, unless an equal command has joined it meanwhile. */
  withdraw(record: SubmissionRecord): Promise<void>;
}

export interface LedgerOptions {
  stateDir: string;
  now: () => number;
  /** Called with a message for each file that is skipped. */
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
            // This write proves, before anything is sent, that the 202 can be recorded later.
            const named = addInputName(found.record, submission.input.name);
            const record = { ...named, sender: processTag(), updatedAt: isoNow() };
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
          // An equal command has ended it. Its status stays; the changes are added.
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
          const ended = open === undefined && isFinished(record) ? readRecord(files.donePath(record)) : undefined;
          if (ended !== undefined)
            return replaceFileUnsynced(
              files.donePath(record),
              serialize({ ...ended, ...changes, updatedAt: isoNow() }),
            );
          // The record was forgotten, or an equal command ended it, or that command got a job meanwhile, which this command
          // must not end.
          if (open === undefined || (open.record.jobId !== undefined && record.jobId === undefined)) return;
          const next = { ...open.record, ...changes };
          // After a power cut the same command asks for the same job again, or sends under the same key.
          if (serialize(next) !== serialize(open.record)) {
            replaceFileUnsynced(open.path, serialize({ ...next, updatedAt: isoNow() }));
          }
          retryInUseNow(() => renameSync(open.path, files.donePath(record)));
        });
        await prune(files.openDir, files.doneDir, now());
      } catch (error) {
        debug(`ledger: could not note the end of ${record.id}: ${String(error)}`);
      }
    },

    findJobs: (jobId) => findById(files, 'jobId', jobId),

    findRequests: (requestId) => findById(files, 'requestId', requestId),

    *findBeginnings(name, start) {
      // The text of a record has the id behind a quotation mark.
      const containing = JSON.stringify(start).slice(0, -1).toLowerCase();
      for (const record of files.readAll({ containing }))
        if (record[name]?.toLowerCase().startsWith(start.toLowerCase())) yield record;
    },

    watch() {
      const known = new Set(files.listDone());
      return () => {
        const open = files.readOpen().map(({ record }) => record);
        const added = files.listDone().filter((fileName) => !known.has(fileName));
        for (const fileName of added) known.add(fileName);
        return [...open, ...files.readDone(added)];
      };
    },

    async list({ unfinishedOnly = false } = {}) {
      const records = unfinishedOnly ? files.readOpen().map(({ record }) => record) : files.readAll();
      // A record that ends during the scan is found twice.
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
        // A command that joins the submission changes its record.
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

/** Yields the records with an id; when there is none, those whose id differs only in case. */
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
