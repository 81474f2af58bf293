/**
 * What a function of the catalog is. One file per function; `catalog.ts` lists them. The description of a function is
 * cheap to import; what reads documents is imported inside `run`, in a document's own process.
 */
export interface OcrFunction {
  /** Upper snake case, as in the URL path. */
  id: string;
  title: string;
  description: string;
  /** MIME types, as `sniffBytes` names them. */
  acceptedTypes: readonly string[];
  pageCap: number;
  /** JSON Schema 2020-12: `additionalProperties: false`, a description and examples for every property, defaults in `default`. */
  argsSchema: Record<string, unknown>;
  run(request: RunRequest): Promise<RunOutcome>;
}

export interface RunRequest {
  /** A file that is only read. */
  path: string;
  mimeType: string;
  /** Valid against `argsSchema`. */
  args: Readonly<Record<string, unknown>>;
  limits: RunLimits;
  /** Called whenever a page is done; `pageCount` counts the pages to be read. */
  onProgress(pagesDone: number, pageCount: number): void;
}

export interface RunLimits {
  /** Images of more pixels are refused by their header, before they are decoded. */
  maxPixels: number;
  /** Pages worked on at once. */
  parallelism: number;
}

export interface RunOutcome {
  result: Record<string, unknown>;
  /** Who read it: `pdf-text`, `tesseract-wasm`, `tesseract`, or several joined by `+`. */
  provider: string;
  /** Pages that were read. */
  pageCount: number;
}
