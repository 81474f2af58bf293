import type { NativeTesseract } from '../engine/stages/recognise/find-native-tesseract.js';

/**
 * A function of the catalog. One file per function; `catalog.ts` lists them. The description of a function is
 * cheap to import; what reads documents is imported inside `run`, in a document's own process.
 */
export interface OcrFunction {
  /** Upper snake case, as in the URL path. */
  id: string;
  /** A short name for people, in lower case; the command line turns it into the id. */
  alias?: string;
  title: string;
  description: string;
  /** MIME types, as `sniffBytes` names them. */
  acceptedTypes: readonly string[];
  pageCap: number;
  /** Memory that a page takes while it is worked on, in bytes; PAGE_BYTES when absent. Where memory is short, fewer are worked on at once. */
  pageBytes?: number;
  /** Time of a page in milliseconds, for a function that recognises no text. It decides how long the document may be kept waiting. */
  unrecognisedPageMs?: number;
  /** JSON Schema 2020-12: `additionalProperties: false`, a description and examples for every property, defaults in `default`. */
  argsSchema: Record<string, unknown>;
  /** JSON Schema 2020-12 of `result`, without `$ref`; tests validate real results against it, OpenAPI publishes it. */
  resultSchema: Record<string, unknown>;
  /** How the command line prints a result. */
  output: OutputForm;
  run(request: RunRequest): Promise<RunOutcome>;
}

/** Recognition takes 60 to 90 MiB for a page of the usual size, and its program as much again. */
export const PAGE_BYTES = 200 * 1024 * 1024;

export interface OutputForm {
  /** Extension of the file that `--output-dir` writes: '.txt', '.csv', '.pdf' … */
  extension: string;
  /** `print` gives bytes: nothing for a terminal, and no two results may follow each other. */
  isBinary?: boolean;
  /**
   * A result of any server (check what you use) as people read it; undefined where it has another shape: then it is
   * printed as JSON. The form never depends on where it goes; a table is tab-separated lines where there is no terminal.
   */
  print(result: unknown): string | Uint8Array | PrintedTable | undefined;
  /** Results of several parts: `--output-dir` writes a file for each, `a.pdf.table-1.csv`. */
  several?: {
    /** A word for one part: `table`. */
    part: string;
    /** The text of each part; undefined for a result of another shape. */
    print(result: unknown): string[] | undefined;
  };
}

export interface PrintedTable {
  columns: string[];
  /** One line each; cells as many as columns. */
  rows: string[][];
}

export interface RunRequest {
  /** A file that is only read. */
  path: string;
  mimeType: string;
  /** Valid against `argsSchema`. */
  args: Readonly<Record<string, unknown>>;
  limits: RunLimits;
  /** A program of this machine that recognises; what is built in does when absent. */
  native?: NativeTesseract;
  /** Called whenever a page is done; `pageCount` counts the pages to be read. */
  onProgress(pagesDone: number, pageCount: number): void;
}

interface RunLimits {
  /** Images of more pixels are refused by their header, before they are decoded. */
  maxPixels: number;
  /** Pages worked on at once. */
  parallelism: number;
}

interface RunOutcome {
  result: Record<string, unknown>;
  /** Name of the reader: `pdf-text`, `tesseract-wasm`, `tesseract`, or several joined by `+`. */
  provider: string;
  /** Pages that were read. */
  pageCount: number;
  /** Mean over all recognised words, 0-1; null or absent when none was recognised. */
  confidence?: number | null;
  /** True when time ran out for a part of it: another run may read more, so the result answers no other call. */
  ranOutOfTime?: boolean;
}
