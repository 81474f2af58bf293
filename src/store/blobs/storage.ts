import type { UploadFile } from './upload-file.js';

/** A document, and what its bytes must be. */
export interface BlobFacts {
  id: string;
  sizeBytes: number;
  /** Lower-case hex. */
  sha256: string;
}

/** A place for documents that are too large to be rows beside their jobs. */
export interface BlobStorage {
  /** Stores the bytes of an upload, whose file it may take. They are durable together with the next synced write of the store. */
  put(blob: BlobFacts, upload: UploadFile): Promise<void>;
  /** Brings the bytes into a new file. After an error there is no file. @throws BlobMissingError */
  get(blob: BlobFacts, path: string): Promise<void>;
  /** Removes the bytes, if there are any. */
  remove(id: string): Promise<void>;
  /** Lists the ids of all documents, some hundreds at a time. Names that are not ours are left out. */
  list(): AsyncIterable<string[]>;
  /** True when other processes put documents there too: what no job knows may be on its way to one. */
  isShared: boolean;
  /** Time that a document is kept after the end of its job, for a store that is restored to a moment before. */
  keepEndedMs: number;
}

/** Thrown for a document whose bytes are gone: no later attempt will find them. */
export class BlobMissingError extends Error {
  override readonly name = 'BlobMissingError';
}

/** Thrown when bytes cannot be stored or brought now. The same call may succeed later. */
export class BlobsUnavailableError extends Error {
  override readonly name = 'BlobsUnavailableError';
  /** True when only an operator can change that: a wrong key, a bucket that does not exist. */
  readonly needsOperator: boolean;

  constructor(message: string, { cause, needsOperator = false }: { cause?: unknown; needsOperator?: boolean } = {}) {
    super(message, cause === undefined ? undefined : { cause });
    this.needsOperator = needsOperator;
  }
}

/** The ids that documents have. Files with other names are never removed: they may be a person's own. */
export const OWN_DOCUMENT = /^doc_[0-9A-HJKMNP-TV-Z]{26}$/;
