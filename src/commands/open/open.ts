import { existsSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import type { Context } from '../../context.js';
import { countOf } from '../../contract/count-of.js';
import type { DocumentState } from '../../contract/document-state.js';
import { OcrError } from '../../contract/ocr-error.js';
import { checkOutputFile, type OutputFile, writeOutputFile } from '../../io/output/output-file.js';
import { keepPage } from '../../io/output/page-file.js';
import { createBatchProgress } from '../../io/terminal/batch-progress.js';
import { canPrompt } from '../../io/terminal/can-prompt.js';
import { createProgress, type Progress } from '../../io/terminal/progress.js';
import type { DocumentView } from './document-view.js';
import { drawPictures } from './draw-pictures.js';
import { findResult } from './find-result.js';
import type { OpenOptions } from './options.js';
import { renderPage } from './page-html.js';
import { type Person, readDocument } from './read-document.js';
import { selectShown } from './select-shown.js';
import type { Source } from './source.js';
import { viewResult } from './view-result.js';

/** Makes a page for the browser that shows each page of a document beside its text, and opens it on a terminal. */
export async function open(context: Context, options: OpenOptions): Promise<void> {
  const { output, io } = context;
  const isPrinted = options.outFile === '-';
  if (isPrinted && output.isJson) {
    throw new OcrError('USAGE', '-o - and --json both want standard output', { hint: 'Name a file: -o page.html' });
  }
  const file = await checkFile(options);
  const { source, page, facts } = await makePage(context, options);
  try {
    if (isPrinted) {
      await output.text(page);
      return await source.settle();
    }
    const kept = file ?? keepPage(page, { ...(await keepWhere(context, source)), now: context.clock.now() });
    const { path } = kept;
    if (file !== undefined) await writeOutputFile(file, page, context.signal);
    await source.settle();
    if (output.isJson) return await output.json({ input: options.target, output: path, ...facts });
    await output.text(`${path}\n`);
    if ('note' in kept) output.note(kept.note);
    for (const note of facts.notes) output.note(note);
    if (io.stdout.isTerminal && file?.isSpecial !== true) await show(context, path);
  } finally {
    await source.dispose();
  }
}

async function checkFile({ outFile, isForced, target }: OpenOptions): Promise<OutputFile | undefined> {
  if (outFile === undefined || outFile === '-') return undefined;
  return await checkOutputFile(outFile, { isForced, inputs: target === '-' ? [] : [target] });
}

async function keepWhere(
  context: Context,
  { name, key }: Source,
): Promise<{ cacheDir: string; name: string; key: string }> {
  return { cacheDir: (await context.directories()).cacheDir, name, key };
}

/** The facts of a page for --json. */
interface PageFacts {
  function: string;
  requestId: string | null;
  jobId: string | null;
  pages: number;
  pictures: number;
  unsureWords: number;
  notes: string[];
}

async function makePage(
  context: Context,
  options: OpenOptions,
): Promise<{ source: Source; page: string; facts: PageFacts }> {
  const progress = createProgress(context);
  const line = createBatchProgress(progress, { total: 1, clock: context.clock });
  const onState = (state: DocumentState) => line.note(0, options.target, state);
  try {
    const source = await findSource(context, options, {
      onState,
      askPassword: createQuestion(context, options, progress),
    });
    try {
      const { view, note } = selectShown(viewResult(source.result), options.pages);
      if (view.pages.length === 0 && options.pages !== undefined && view.rest === undefined) {
        throw new OcrError('USAGE', `The result has none of the pages ${options.pages}`);
      }
      const drawn =
        source.path === undefined
          ? { pictures: new Map(), note: `The pages have no pictures: ${source.absence}` }
          : await drawPictures(context, { ...source, path: source.path }, view.pages, onState);
      const notes = [...source.notes, ...describeForm(view, source, options), note, drawn.note].filter(
        (one) => one !== undefined,
      );
      const page = renderPage({
        name: basename(source.name),
        facts: describeFacts(view, source),
        notes,
        view,
        pictures: drawn.pictures,
      });
      const facts = {
        function: source.functionId,
        requestId: source.requestId ?? null,
        jobId: source.jobId ?? null,
        pages: view.pages.length,
        pictures: drawn.pictures.size,
        unsureWords: view.unsureCount,
        notes,
      };
      return { source, page, facts };
    } catch (error) {
      await source.dispose();
      throw error;
    }
  } finally {
    await progress.stop();
  }
}

/** Returns what asks for the password of a locked document; undefined where nobody can type one. */
function createQuestion({ io, flags, signal }: Context, { target }: OpenOptions, progress: Progress) {
  if (target === '-' || !canPrompt({ io, flags })) return undefined;
  return (question: string) =>
    progress.pauseFor(async () => {
      const { promptSecret } = await import('../../io/terminal/prompt-secret.js');
      return await promptSecret(question, { stdin: io.stdin, stderr: io.stderr, signal });
    });
}

async function findSource(context: Context, options: OpenOptions, person: Person): Promise<Source> {
  const { target } = options;
  if (target !== '-' && !existsSync(resolve(target))) {
    const found = await findResult(context, options, person.onState);
    if (found !== undefined) return found;
  }
  return await readDocument(context, options, person);
}

/** Says what a result without boxes lacks, and what would have them. */
function describeForm(
  { pages, rest }: DocumentView,
  { functionId, path, name }: Source,
  { target }: OpenOptions,
): string[] {
  if (pages.some(({ hasBoxes }) => hasBoxes) || functionId === 'LAYOUT_ANALYSIS') return [];
  const what =
    rest === undefined ? 'gives text without the places of its lines' : 'has no text of pages: this is what it holds';
  const next = path === undefined || target === name ? '' : `. For boxes: ocr open ${name}`;
  return [`The result of ${functionId || 'this job'} ${what}${next}`];
}

function describeFacts(view: DocumentView, { functionId, requestId }: Source): string[] {
  const pages = view.pages.length === 0 ? [] : [countOf(view.pages.length, 'page')];
  return [...pages, functionId, requestId ?? ''].filter((fact) => fact !== '');
}

async function show({ flags, env, signal, output }: Context, path: string): Promise<void> {
  if (!flags.input) return;
  const { chooseBrowser, openBrowser } = await import('../../io/terminal/browser.js');
  const command = chooseBrowser(path, { platform: process.platform, env });
  const reason = 'reason' in command ? command.reason : await openBrowser(command, env, signal);
  if (reason !== undefined) output.note(`No browser was opened: ${reason}. Open this file in one.`);
}
