import { spawn } from 'node:child_process';
import { toPgm } from '../raster/pgm.js';
import type { Raster } from '../raster/raster.js';
import { parseHocr } from './hocr.js';
import type { TesseractEngine } from './recogniser.js';

/** A page full of text is some 300 KB of hOCR. */
const MOST_ANSWER_BYTES = 64 * 1024 * 1024;
const MOST_ERROR_CHARACTERS = 500;

/**
 * Tesseract as a program: one process for each reading, without a shell. The picture goes in and hOCR comes out by pipes,
 * so that a process that may not write files can use it.
 */
export function createNativeEngine(program: string, languages: readonly string[]): TesseractEngine {
  return {
    provider: 'tesseract',
    async read(raster, segmentation, deadline) {
      const args = ['stdin', 'stdout', '--psm', String(segmentation), '-l', languages.join('+')];
      return parseHocr(await run(program, [...args, '-c', 'tessedit_create_hocr=1'], raster, deadline));
    },
  };
}

/** Time ran out: another engine would not be quicker. */
export class RecognitionTimeout extends Error {}

function run(program: string, args: readonly string[], raster: Raster, deadline: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const timeLeft = Math.ceil(deadline - performance.now());
    if (timeLeft <= 0) return reject(new RecognitionTimeout('recognition took too long'));
    const child = spawn(program, args, {
      // Several processes that each take every core are four times slower.
      env: { ...process.env, OMP_THREAD_LIMIT: '1' },
      stdio: ['pipe', 'pipe', 'pipe'],
      windowsHide: true,
    });
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      child.kill('SIGKILL');
    }, timeLeft);
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
    child.on('error', (error) => {
      clearTimeout(timer);
      reject(new Error(`${program} cannot be started: ${error.message}`));
    });
    child.on('close', (code, signal) => {
      clearTimeout(timer);
      if (isLate) reject(new RecognitionTimeout('recognition took too long'));
      else if (code === 0) resolve(Buffer.concat(output).toString('utf8'));
      else reject(new Error(`${program} failed (${signal ?? `code ${code}`}): ${complaint.trim()}`));
    });
    child.stdin.end(toPgm(raster));
  });
}
