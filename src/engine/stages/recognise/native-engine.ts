import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { toSpix } from '../picture/decode/spix.js';
import type { Raster } from '../picture/raster.js';
import { parseHocr } from './hocr.js';
import { AUTOMATIC, type TesseractEngine } from './recogniser.js';

/** A page full of text is some 300 KB of hOCR. */
const MOST_ANSWER_BYTES = 64 * 1024 * 1024;
const MOST_ERROR_CHARACTERS = 500;
/** Less than an idle thread lives: what waits is ended, and waited for, by the thread that started it. */
const MOST_WAITING_MS = 20_000;

/**
 * Tesseract as a program: one process for each reading, without a shell. The picture goes in and hOCR comes out by pipes,
 * so that a process that may not write files can use it. It loads its data before it reads the picture, which takes a
 * tenth of a page's time and half of a slip's: so the first one of the next document is started while nothing is read.
 */
export function createNativeEngine(program: string, languages: readonly string[]): TesseractEngine {
  let waiting: { run: Run; timer: NodeJS.Timeout } | undefined;
  const start = (segmentation: number) => {
    const args = ['stdin', 'stdout', '--psm', String(segmentation), '-l', languages.join('+')];
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
    // One that failed is not handed over; that it has is told to whoever waits for the page.
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
      const timer = setTimeout(() => run.child.kill('SIGKILL'), MOST_WAITING_MS);
      timer.unref();
      waiting = { run, timer };
      run.answer.catch(() => {
        if (waiting?.run === run) takeWaiting();
      });
    },
  };
}

/** Time ran out: another engine would not be quicker. */
export class RecognitionTimeout extends Error {}
const TOO_LONG = 'recognition took too long';

/** A process that waits for its picture, and what it will answer. */
interface Run {
  child: ChildProcessWithoutNullStreams;
  answer: Promise<string>;
}

function startRun(program: string, args: readonly string[]): Run {
  const child = spawn(program, args, {
    // Several processes that each take every core are four times slower.
    env: { ...process.env, OMP_THREAD_LIMIT: '1' },
    windowsHide: true,
  });
  const output: Buffer[] = [];
  let size = 0;
  let complaint = '';
  child.stdout.on('data', (chunk: Buffer) => {
    size += chunk.length;
    if (size <= MOST_ANSWER_BYTES) output.push(chunk);
    else child.kill('SIGKILL');
  });
  child.stderr.on('data', (chunk: Buffer) => {
    if (complaint.length < MOST_ERROR_CHARACTERS) complaint += chunk.toString('utf8');
  });
  // It may end before it has read everything; its exit code says more.
  child.stdin.on('error', () => undefined);
  const answer = new Promise<string>((resolve, reject) => {
    child.on('error', (error) => reject(new Error(`${program} cannot be started: ${error.message}`)));
    child.on('close', (code, signal) => {
      if (code === 0) resolve(Buffer.concat(output).toString('utf8'));
      else reject(new Error(`${program} failed (${signal ?? `code ${code}`}): ${complaint.trim()}`));
    });
  });
  return { child, answer };
}

/** Resolves when the program has the whole picture. */
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
