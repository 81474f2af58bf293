export interface ExtractOptions {
  /** Files, directories, or `-` for standard input. */
  inputs: string[];
  /** A file that names more inputs, one a line; `-` for standard input. */
  filesFrom?: string;
  /** True when the names in that file end with NUL. */
  isNulSeparated: boolean;
  function?: string;
  /** `key=value` each. */
  assignments: string[];
  /** A JSON object, or `@` and the name of a file that holds one, `-` for standard input. */
  argsJson?: string;
  format?: 'text' | 'markdown';
  /** Languages of the documents: `deu+eng`. */
  languages?: string;
  /** True when files get the service's body as JSON instead of what the function prints. */
  filesHoldJson: boolean;
  /** Marks where pages end. */
  hasPageBreaks: boolean;
  /** A document whose confidence is lower counts as failed, 0-1. */
  minConfidence?: number;
  outFile?: string;
  outputDir?: string;
  isForced: boolean;
  /** True when inputs with a newer output file are not sent; an older output file is replaced. */
  skipsExisting: boolean;
  /** True for a file of a directory that is left out without a word. */
  isIgnored?: (path: string) => boolean;
  /** Name of standard input. */
  name?: string;
  isAwaited: boolean;
  waitTimeoutMs?: number;
  isFresh: boolean;
  concurrency?: number;
  /** Cancels unfinished jobs when the command is interrupted; undefined where the setting decides. */
  cancelsOnInterrupt?: boolean;
  /** Sends nothing more after the first failure. */
  failsFast: boolean;
  /** Says what would be sent, and sends nothing. */
  isDryRun: boolean;
}
