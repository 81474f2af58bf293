// The public types. Nothing is imported here: the declarations of the package must not need those of its parts.

/** A document: the path of a file, its bytes, or a stream of them. */
export type DocumentSource =
  | string
  | URL
  | Uint8Array
  | ArrayBuffer
  | Blob
  | AsyncIterable<Uint8Array | string>
  | ReadableStream<Uint8Array>;

export interface ClientOptions {
  /** Address of the service, before `/v1`. Without it, the service on this machine, which the first call starts. */
  baseUrl?: string | undefined;
  apiKey?: string | undefined;
  /** Longest time of a request without progress, in milliseconds: 120,000. */
  timeoutMs?: number | undefined;
}

export interface CallOptions {
  /** Signal that aborts the call, which then throws an AbortError. */
  signal?: AbortSignal | undefined;
}

export interface WaitOptions extends CallOptions {
  /** Receives each state of the job. Documents that are answered at once have none. */
  onProgress?: ((progress: Progress) => void) | undefined;
  /** Longest wait for the job, in milliseconds: 300,000. The call then returns the job, which goes on. */
  waitTimeoutMs?: number | undefined;
}

export interface ExtractOptions<F extends string = string> extends WaitOptions {
  /** The function to run: TEXT_EXTRACTION. `functions.list()` has all. */
  function?: F | undefined;
  /** The arguments of the function: `{ format: 'markdown', pages: '1-3' }`. */
  args?: Record<string, unknown> | undefined;
  /** Name of the file, for the service's log. A path and a File have one. */
  name?: string | undefined;
  /** False returns the job at once, without waiting for its end. */
  wait?: boolean | undefined;
  /** A key of the caller's own choice: a call that is repeated with it is not billed again. */
  idempotencyKey?: string | undefined;
}

export interface Progress {
  jobId: string;
  /** The service's own word: `queued`, `processing` … */
  status: string;
  pagesDone: number | undefined;
  pageCount: number | undefined;
}

/** How a document was read. */
export interface Meta {
  provider: string;
  pageCount: number;
  cached: boolean;
  durationMs: number;
  /** Mean over the recognised words, 0 to 1; null where nothing was recognised. */
  confidence?: number | null;
  [field: string]: unknown;
}

/** The results of functions; docs/functions describes every field. */
export interface Results {
  TEXT_EXTRACTION: { text: string; [field: string]: unknown };
}

export type ResultOf<F extends string> = F extends keyof Results ? Results[F] : Record<string, unknown>;

/** A document that was read. */
export interface Extraction<F extends string = string> {
  status: 'completed';
  requestId: string;
  function: F;
  result: ResultOf<F>;
  meta: Meta;
  /** Absent where the document was answered at once. */
  jobId?: string;
}

/** A document that is still being read, or, from `jobs.get`, one that failed. `result` tells it from an Extraction. */
export interface Job {
  jobId: string;
  /** The service's own word: `queued`, `processing`, `failed` … */
  status: string;
  requestId?: string;
  function?: string;
  progress?: { pagesDone: number; pageCount: number };
  error?: { code: string; message: string; retryable: boolean };
  result?: undefined;
}

/** An entry of the service's catalog. */
export interface FunctionInfo {
  id: string;
  title?: string;
  description?: string;
  acceptedTypes?: string[];
  pageCap?: number;
  /** JSON Schema of `args`. */
  argsSchema?: Record<string, unknown>;
  /** JSON Schema of `result`. */
  resultSchema?: Record<string, unknown>;
  /** True when the key may use the function. */
  included?: boolean;
}

/** The service's log entry of a request. Unknown values are null. */
export interface RequestInfo {
  requestId: string;
  createdAt: string;
  function: string | null;
  httpStatus: number | null;
  error: { code: string | null; message: string | null; retryable: boolean } | null;
  jobId: string | null;
  jobStatus: string | null;
  [field: string]: unknown;
}

/** A client of one service. */
export interface Client {
  /**
   * Sends a document and waits until it is read.
   * @returns the result; or the job, with `wait: false` or when the wait was over first
   * @throws ServiceError, JobFailedError, ConnectionError, InputError, AbortError
   */
  extract<F extends string = 'TEXT_EXTRACTION'>(
    file: DocumentSource,
    options?: ExtractOptions<F>,
  ): Promise<Extraction<F> | Job>;
  readonly jobs: {
    /** Asks for a job once. @throws as extract; a failed job is returned */
    get(jobId: string, options?: CallOptions): Promise<Extraction | Job>;
    /** Waits for a job. @returns the result; or the job when the wait was over first. @throws as extract */
    wait(jobId: string, options?: WaitOptions): Promise<Extraction | Job>;
    /**
     * Cancels a job that is unfinished; a finished one is left as it is.
     * @throws as extract; OcrError UNSUPPORTED where the service cannot, before anything is asked of it
     */
    cancel(jobId: string, options?: CallOptions): Promise<void>;
  };
  readonly functions: {
    list(options?: CallOptions): Promise<FunctionInfo[]>;
  };
  readonly requests: {
    /** Returns the service's own log entry of a request. @throws as extract; OcrError UNSUPPORTED where the service has none */
    get(requestId: string, options?: CallOptions): Promise<RequestInfo>;
  };
  /** Closes the connections. Idle ones keep no process from ending. */
  close(): Promise<void>;
}

/** The data of an event: ids and states, never text of the document. */
interface EventData {
  requestId: string;
  /** Absent for an answer from the cache. */
  jobId?: string;
  function: string;
  pageCount?: number;
  /** True in a sample. */
  test?: true;
}

interface EventHead {
  /** The delivery's id, the same in each attempt: a receiver that has seen it may ignore it. */
  id: string;
  /** RFC 3339, UTC. */
  createdAt: string;
  /** True for a sample that the operator sent (`ocr admin webhooks test`): nothing was read. */
  test?: true;
}

/** The body of a webhook delivery. */
export type WebhookEvent =
  | (EventHead & { type: 'document.processed'; data: EventData & { status: 'completed'; meta: Meta } })
  | (EventHead & {
      type: 'document.failed';
      data: EventData & { status: 'failed'; error: { code: string; message: string; retryable: boolean } };
    });

export interface VerifyWebhookOptions {
  /** The body as it came, before any parsing. */
  body: Uint8Array | string;
  /** The X-Service-Signature header. */
  signature: string | string[] | null | undefined;
  /** The endpoint's signing secret; several while it is being replaced. */
  secrets: string | readonly string[];
  /** Largest distance of the signature's time from now: 300. */
  toleranceSeconds?: number | undefined;
}
