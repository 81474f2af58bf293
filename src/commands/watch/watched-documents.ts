import { access, constants } from 'node:fs/promises';
import { relative, resolve, sep } from 'node:path';
import type { Context } from '../../context.js';
import type { DocumentState } from '../../contract/document-state.js';
import { EXIT, type ExitCode } from '../../contract/exit-codes.js';
import { OcrError } from '../../contract/ocr-error.js';
import { unreadableInput } from '../../io/input/input-file.js';
import type { ListedInput } from '../../io/input/listed-input.js';
import { type ForeignFile, findForeignType } from '../../io/input/sniff-type.js';
import { joinAsTyped } from '../../io/input/walk-directory.js';
import { print } from '../../io/output/deliver.js';
import { fileOfSeries, type OutputFile } from '../../io/output/output-file.js';
import { planOutputTree } from '../../io/output/output-tree.js';
import { type BatchProgress, createBatchProgress } from '../../io/terminal/batch-progress.js';
import { createProgress, type Progress } from '../../io/terminal/progress.js';
import { isFailure } from '../../submission-lifecycle/combine-exit-codes.js';
import { createSemaphore, type Semaphore } from '../../submission-lifecycle/semaphore.js';
import { concurrencyOf, createBatch } from '../extract/create-batch.js';
import { putInBrackets } from '../extract/directory.js';
import { extractOne } from '../extract/extract-one.js';
import type { FindFunction } from '../extract/function.js';
import type { ExtractOptions } from '../extract/options.js';
import type { RequestPlan } from '../extract/plan.js';
import type { Batch, InputOutcome } from '../extract/request.js';
import { createExistingFinder, type FindExisting } from '../extract/skip-existing.js';
import { createSettledFiles } from './settled-files.js';
import { type WatchedDirectory, watchDirectory } from './watched-directory.js';

/** Pause before a document is sent again that failed for a reason that may pass: a service that cannot be reached. */
const RETRY_AFTER_MS = 15_000;

export interface WatchedDocumentsOptions extends ExtractOptions {
  outputDir: string;
  request: RequestPlan;
  naming: { extension: string; part: string | undefined };
  findFunction: FindFunction;
}

export interface FollowOptions {
  isIgnored: (path: string) => boolean;
  polls: boolean;
}

/** A document of a watched directory. */
interface Document extends ListedInput {
  key: number;
  below: string;
}

/** The documents of watched directories: each version of a file is sent once, and each has its line of output. */
export class WatchedDocuments {
  readonly #context: Context;
  readonly #options: WatchedDocumentsOptions;
  readonly #progress: Progress;
  readonly #shown: BatchProgress;
  readonly #findExisting: FindExisting;
  /** The watched directory of each file, as it was typed. */
  readonly #directories = new Map<string, string>();
  /** The version of each file that was taken last, by its path. */
  readonly #taken = new Map<string, string>();
  /** The input of each output file, by the file's path. */
  readonly #outputs = new Map<string, string>();
  /** Files that could not be read, until they can. */
  readonly #unreadable = new Set<string>();
  /** Documents whose failure was said, and is not said again when they are tried again. */
  readonly #said = new Set<number>();
  readonly #running = new Set<Promise<void>>();
  readonly #retries = new Set<NodeJS.Timeout>();
  #places: Semaphore | undefined;
  #batch: Promise<Batch> | undefined;
  #nextKey = 0;
  #isEnding = false;
  #end: (exitCode: ExitCode) => void = () => {};
  #fail: (reason: unknown) => void = () => {};

  constructor(context: Context, options: WatchedDocumentsOptions) {
    this.#context = context;
    this.#options = options;
    this.#progress = createProgress(context);
    this.#shown = createBatchProgress(this.#progress, {
      total: undefined,
      clock: context.clock,
      idle: `watching ${options.inputs.join(', ')}`,
    });
    this.#findExisting = createExistingFinder(context, {
      ...options.request,
      minConfidence: options.minConfidence,
    });
  }

  /**
   * Follows directories until `end`, or until no document can be sent: a refused key. Resolves with the exit code.
   * @throws the signal's reason
   */
  async follow(directories: readonly string[], { isIgnored, polls }: FollowOptions): Promise<ExitCode> {
    const { output, signal } = this.#context;
    this.#places = createSemaphore((await concurrencyOf(this.#context, this.#options)) * 2);
    const ended = new Promise<ExitCode>((resolve, reject) => {
      this.#end = resolve;
      this.#fail = reject;
      signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    });
    // It may be rejected while the directories are opened.
    ended.catch(() => {});
    output.note(`Watching ${directories.join(', ')}; results are written to ${this.#options.outputDir}.`);
    const watched: WatchedDirectory[] = [];
    const settled = createSettledFiles((path, version) => this.#take(path, version));
    try {
      for (const directory of directories) {
        watched.push(
          await watchDirectory({
            path: resolve(directory),
            polls: polls ? true : undefined,
            isIgnored,
            onFile: (path) => {
              this.#directories.set(path, directory);
              settled.add(path);
            },
            onLook: () => void this.#lookAtUnreadable(settled.add),
            note: output.note,
          }),
        );
      }
      this.#shown.idle();
      return await ended;
    } finally {
      this.#isEnding = true;
      settled.stop();
      for (const timer of this.#retries) clearTimeout(timer);
      await Promise.all(watched.map((directory) => directory.close()));
      await Promise.all(this.#running);
      const batch = await this.#batch?.catch(() => undefined);
      await batch?.state.withdrawUnsent(batch.connections.ledger);
      await this.#progress.stop();
    }
  }

  /** Starts no further document; `follow` resolves when those under way are done. */
  end(): void {
    this.#isEnding = true;
    void this.#batch?.then(({ state }) => state.stop(new OcrError('NOT_SENT', 'The command ends')));
    this.#end(EXIT.ok);
  }

  #take(path: string, version: string): void {
    if (this.#isEnding || this.#taken.get(path) === version) return;
    const isNew = !this.#taken.has(path);
    this.#taken.set(path, version);
    const named = nameFile(this.#directories.get(path) ?? '', path);
    this.#run({ key: this.#nextKey++, ...named }, path, isNew);
  }

  #run(document: Document, path: string, isNew: boolean): void {
    const running = this.#work(document, path, isNew)
      .catch((error: unknown) => this.#fail(error))
      .finally(() => this.#running.delete(running));
    this.#running.add(running);
  }

  async #work(document: Document, path: string, isNew: boolean): Promise<void> {
    const release = await (this.#places as Semaphore).acquire();
    try {
      if (this.#isEnding) return;
      const foreign = await this.#findForeignType(document);
      if (foreign !== undefined) return await this.#sayThatForeign(document, foreign);
      const file = await this.#planFile(document, path);
      const existing = isNew ? await this.#findExisting(document, file) : undefined;
      if (existing !== undefined) return await this.#sayThatDone(document, existing);
      const batch = await this.#currentBatch();
      const outcome = await extractOne(batch, {
        ...document,
        file,
        onState: (state: DocumentState) => this.#shown.note(document.key, document.input, state),
        onRateLimit: () => {},
        onSilence: () => {},
      });
      await this.#conclude(batch, document, path, file, outcome);
    } catch (error) {
      if (!(error instanceof OcrError)) throw error;
      await this.#sayThatFailed(document, path, error);
    } finally {
      release();
    }
    if (this.#context.io.stdout.isClosed) this.end();
  }

  /** Returns what a file is that the function does not accept. @throws OcrError for one that cannot be read */
  async #findForeignType({ input }: Document): Promise<ForeignFile | undefined> {
    const accepted = (await this.#options.findFunction())?.acceptedTypes;
    if (accepted === undefined) return undefined;
    try {
      return await findForeignType(input, accepted);
    } catch (error) {
      throw unreadableInput(input, error as NodeJS.ErrnoException);
    }
  }

  async #planFile(document: Document, path: string): Promise<OutputFile> {
    const { outputDir: directory, naming } = this.#options;
    const [file] = await planOutputTree([document], { directory, ...naming, isForced: true });
    if (file === undefined) throw new OcrError('BUG', 'A document without an output file');
    const other = this.#outputs.get(file.path);
    if (other !== undefined && other !== path) {
      throw new OcrError('USAGE', `${document.input} and ${relative('', other)} would both be written to ${file.name}`);
    }
    this.#outputs.set(file.path, path);
    return file;
  }

  /** A batch that has stopped sends nothing more: the next documents get one of their own. */
  async #currentBatch(): Promise<Batch> {
    const { request } = this.#options;
    const current = await this.#batch?.catch(() => undefined);
    if (current !== undefined && current.state.stopReason === undefined) return current;
    const { functionId, args, recordedArgs } = request;
    this.#batch = createBatch(this.#context, this.#options, { functionId, args, recordedArgs, isOneOfSeveral: true });
    return await this.#batch;
  }

  async #conclude(
    batch: Batch,
    document: Document,
    path: string,
    file: OutputFile,
    outcome: InputOutcome,
  ): Promise<void> {
    const { output } = this.#context;
    const { error, rendered } = outcome;
    if (this.#context.signal.aborted) return;
    const stopReason = batch.state.stopReason;
    if (stopReason?.exitCode === EXIT.auth) return this.#fail(stopReason);
    // It goes on, or was not sent: the same version is tried again.
    if (outcome.isLeftUnsent === true) return this.#retry(document, path);
    if (outcome.exitCode === EXIT.pending) return this.#run(document, path, false);
    if (error !== undefined && rendered === undefined) return await this.#sayThatFailed(document, path, error);
    if (rendered !== undefined) await this.#progress.pauseFor(() => print(rendered, output));
    if (error !== undefined && !output.isJson) await this.#report(error, document.input);
    await outcome.settle?.();
    this.#shown.countEnded(document.key, isFailure(outcome.exitCode));
    const name = file.series === undefined ? file.name : fileOfSeries(file, '*').name;
    await this.#progress.pauseFor(async () => output.note(`${document.input}: written to ${name}`));
  }

  #retry(document: Document, path: string): void {
    if (this.#isEnding) return;
    const timer = setTimeout(() => {
      this.#retries.delete(timer);
      this.#run(document, path, false);
    }, RETRY_AFTER_MS);
    this.#retries.add(timer);
  }

  async #sayThatForeign({ input }: Document, { what, isConvertible }: ForeignFile): Promise<void> {
    const { output } = this.#context;
    if (output.isJson) return await output.json({ input, skipped: what }, { compact: true });
    const { adviseToConvert } = await import('../../contract/foreign-type.js');
    const said = `Skipped ${input} (${putInBrackets(what)})`;
    await this.#progress.pauseFor(async () => output.note(isConvertible ? adviseToConvert(said, input) : said));
  }

  async #sayThatDone({ input }: Document, skipped: string): Promise<void> {
    const { output } = this.#context;
    // For people nothing: at a restart most documents are done.
    if (output.isJson) await output.json({ input, skipped }, { compact: true });
  }

  async #sayThatFailed(document: Document, path: string, error: OcrError): Promise<void> {
    // It went away before its turn, or changed meanwhile: its next version has its own turn.
    if (error.code === 'FILE_NOT_FOUND' || error.code === 'FILE_CHANGED') {
      this.#taken.delete(path);
      return this.#shown.countEnded(document.key, false);
    }
    const mayPass = error.exitCode === EXIT.unreachable || error.exitCode === EXIT.limited || error.retryable;
    if (!this.#said.has(document.key)) await this.#report(error, document.input);
    if (error.code === 'FILE_UNREADABLE') this.#unreadable.add(path);
    else if (mayPass) {
      this.#said.add(document.key);
      return this.#retry(document, path);
    }
    this.#said.delete(document.key);
    this.#shown.countEnded(document.key, true);
  }

  async #report(error: OcrError, input: string): Promise<void> {
    await this.#progress.pauseFor(() => this.#context.report(error, { input, compact: true }));
  }

  async #lookAtUnreadable(look: (path: string) => void): Promise<void> {
    for (const path of this.#unreadable) {
      const isReadable = await access(path, constants.R_OK).then(
        () => true,
        (error: NodeJS.ErrnoException) => error.code === 'ENOENT',
      );
      if (!isReadable) continue;
      this.#unreadable.delete(path);
      this.#taken.delete(path);
      look(path);
    }
  }
}

/** Returns a file's path as `ocr extract` names it, and its path below the directory, with `/`. */
function nameFile(directory: string, path: string): { input: string; below: string } {
  const below = relative(resolve(directory), path);
  return { input: joinAsTyped(directory, below), below: below.split(sep).join('/') };
}
