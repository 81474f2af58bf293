export interface OpenOptions {
  /** A file, `-` for standard input, a job id or a request id. */
  target: string;
  /** The same as an id, without what was copied along with it. */
  id: string;
  /** `-` for standard output. */
  outFile?: string;
  isForced: boolean;
  /** Pages to show, as in the argument `pages`. */
  pages?: string;
  /** Languages of the document: `deu+eng`. */
  languages?: string;
  waitTimeoutMs?: number;
  isFresh: boolean;
}
