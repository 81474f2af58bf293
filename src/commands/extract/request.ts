import type { ApiClient } from '../../api/client.js';
import type { Context } from '../../context.js';
import type { ServiceFlags } from '../../contract/command-words.js';
import type { DocumentState } from '../../contract/document-state.js';
import type { ExitCode } from '../../contract/exit-codes.js';
import type { OcrError } from '../../contract/ocr-error.js';
import type { ListedInput } from '../../io/input/listed-input.js';
import type { Rendered } from '../../io/output/deliver.js';
import type { OutputFile } from '../../io/output/output-file.js';
import type { Ledger } from '../../ledger/ledger.js';
import type { ExtractArguments } from './arguments.js';
import type { BatchState } from './batch-state.js';

/** The request that a command makes for each of its inputs. */
interface ExtractRequest extends Readonly<ExtractArguments> {
  readonly functionId: string;
  readonly profile: string;
  readonly isAwaited: boolean;
  readonly isFresh: boolean;
  readonly waitTimeoutMs: number;
  /** Cancels unfinished jobs when the command is interrupted. */
  readonly cancelsOnInterrupt: boolean;
  readonly isOneOfSeveral: boolean;
  /** True when files get the service's body as JSON instead of what the function prints. */
  readonly filesHoldJson: boolean;
  /** A document whose confidence is lower counts as failed. */
  readonly minConfidence: number | undefined;
}

/** The outside world of a batch. */
export interface Connections extends Pick<Context, 'io' | 'output' | 'signal' | 'flags' | 'settings'> {
  readonly api: ApiClient;
  readonly ledger: Ledger;
  /** Returns a client that still calls the service, for a short time, after the command was interrupted. */
  lastCalls(): ApiClient;
}

export interface Batch {
  readonly request: ExtractRequest;
  readonly connections: Connections;
  readonly state: BatchState;
}

export interface BatchItem extends ListedInput {
  file: OutputFile | undefined;
  /** Receives the document's state for the progress line. */
  onState: (state: DocumentState) => void;
  /** Receives what to say of a pause that the service asked for. */
  onRateLimit: (words: string) => void;
  /** Receives what to say of a service that does not answer while its job is followed. */
  onSilence: (words: string) => void;
}

/** How one input ended, as small as it can be kept until its turn to be printed. */
export interface InputOutcome {
  exitCode: ExitCode;
  /** A result that is still to be printed, or a job that is still running. */
  rendered?: Rendered;
  /** The error to report, after the result where there is one. */
  error?: OcrError;
  /** The upload's request id. */
  requestId?: string | undefined;
  /** Pages that were read. */
  pageCount?: number;
  /** True when the command ended before the document was sent, or while it was sent. */
  isLeftUnsent?: boolean;
  /** Its job that is still running, and the flags that `ocr jobs wait` needs for it. */
  resume?: { jobId: string; flags: ServiceFlags };
  /** True when its job was cancelled with the command, or had ended before. */
  isCancelled?: boolean;
  /** True when its job is still running without an error: with --no-wait, or with --json, where the envelope says it. */
  isQueued?: boolean;
  /** Notes the end in the ledger, after the result is printed. */
  settle?: () => Promise<void>;
}
