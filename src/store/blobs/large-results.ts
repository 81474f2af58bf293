/** Keeps results that are too large for a row of the store. */
export interface LargeResults {
  /** Stores the text, durably. */
  put(id: string, body: string): Promise<void>;
  /** @throws BlobMissingError */
  get(id: string): Promise<string>;
  remove(id: string): Promise<void>;
  /** Lists the ids of all results, some hundreds at a time. */
  list(): AsyncIterable<string[]>;
}

/** Size limit of results that stay in their row, in bytes. */
export const MAX_RESULT_ROW_BYTES = 64 * 1024;
