import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { toSpix } from '../picture/decode/spix.js';
import type { Raster } from '../picture/raster.js';
import { parseHocr } from './hocr.js';
import { AUTOMATIC, type RecognitionPlan, type TesseractEngine } from './recogniser.js';

/** hOCR of one page: a page full of text is about 300 KB. */
const MAX_ANSWER_BYTES = 64 * 1024 * 1024;
/** Characters of standard error that an error message quotes. */
const MAX_ERROR_CHARACTERS = 500;
/** Life of a process that waits for its picture. It is shorter than that of an idle thread, which has to end the process and reap it. */
const MAX_WAITING_MS = 20_000;

/**
 * Runs the program Tesseract: one process for each reading, without a shell. The picture goes in and hOCR comes out by pipes,
 * so that a process without write access can use it. Loading the language data takes a tenth of a page's time and half of a
 * slip's: so the process for the next document's first page is started ahead, while nothing is read.
 */
export function createNativeEngine({
  program,
  languages,
  folder,
}: NonNullable<RecognitionPlan['native']>): TesseractEngine {
  let waiting: { run: Run; timer: NodeJS.Timeout } | undefined;
  const start = (segmentation: number) => {
    const place = folder === undefined ? [] : ['--tessdata-dir', folder];
    const args = ['stdin', 'stdout', ...place, '--psm', String(segmentation), '-l', languages.join('+')];
    return startRun(program, [...args, '-c', 'tessedit_create_hocr=1']);
  };
  const takeWaiting = () => {
    clearTimeout(waiting?.timer);
    const run = waiting?.run;
    waiting = undefined;
    return run;
  };

  const begin = async (raster: Raster, segmentation: number, deadline: number) => {
    if (performance.now() >= deadline) throw new RecognitionTimeout(TOO_LONG);
    const ready = segmentation === AUTOMATIC ? takeWaiting() : undefined;
    const run = ready ?? start(segmentation);
    const page = finishRun(run, deadline).then(parseHocr);
    // A failed process takes no picture; the promise of the page reports the failure.
    await Promise.race([handOver(run, raster), page.catch(() => undefined)]);
    return { page };
  };

  return {
    provider: 'tesseract',
    begin,
    read: async (raster, segmentation, deadline) => (await begin(raster, segmentation, deadline)).page,
    prepare() {
      if (waiting !== undefined) return;
      const run = start(AUTOMATIC);
      const timer = setTimeout(() => run.child.kill('SIGKILL'), MAX_WAITING_MS);
      timer.unref();
      waiting = { run, timer };
      run.answer.catch(() => {
        if (waiting?.run === run) takeWaiting();
      });
    },
  };
}

/** The deadline has passed. Another engine would not be quicker, so none is tried. */
export class RecognitionTimeout extends Error {}
const TOO_LONG = 'recognition took too long';

/** A process that waits for its picture, and its answer. */
interface Run {
  child: ChildProcessWithoutNullStreams;
  answer: Promise<string>;
}

function startRun(program: string, args: readonly string[]): Run {
  const child = spawn(program, args, {
    // Several processes that each use every core are four times slower.
    env: { ...process.env, OMP_THREAD_LIMIT: '1' },
    windowsHide: true,
  });
  const output: Buffer[] = [];
  let size = 0;
  let errorText = '';
  child.stdout.on('data', (chunk: Buffer) => {
    size += chunk.length;
    if (size <= MAX_ANSWER_BYTES) output.push(chunk);
    else child.kill('SIGKILL');
  });
  child.stderr.on('data', (chunk: Buffer) => {
    if (errorText.length < MAX_ERROR_CHARACTERS) errorText += chunk.toString('utf8');
  });
  // The process may end before it has read everything; its exit code says more.
  child.stdin.on('error', () => undefined);
  const answer = new Promise<string>((resolve, reject) => {
    child.on('error', (error) => reject(new Error(`${program} cannot be started: ${error.message}`)));
    child.on('close', (code, signal) => {
      if (code === 0) resolve(Buffer.concat(output).toString('utf8'));
      else reject(new Error(`${program} failed (${signal ?? `code ${code}`}): ${errorText.trim()}`));
    });
  });
  return { child, answer };
}

/** Sends the picture; resolves when the program has all of it. */
const handOver = ({ child }: Run, raster: Raster): Promise<void> =>
  new Promise((resolve) => child.stdin.end(toSpix(raster), () => resolve()));

async function finishRun({ child, answer }: Run, deadline: number): Promise<string> {
  let isLate = false;
  const end = () => {
    isLate = true;
    child.kill('SIGKILL');
  };
  const timer = setTimeout(end, Math.ceil(deadline - performance.now()));
  try {
    return await answer;
  } catch (error) {
    throw isLate ? new RecognitionTimeout(TOO_LONG) : error;
  } finally {
    clearTimeout(timer);
  }
}
