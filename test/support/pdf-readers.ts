import { execFile, spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { extractText, getDocumentProxy } from 'unpdf';
import { openPdf } from '../../dist/engine/pdf-files/pdfium/pdfium.js';
import { readPdfPage } from '../../dist/engine/stages/text-layer/read-page.js';

const run = promisify(execFile);

/** Programs that a machine may have or not: what needs one is skipped without it. */
export const hasProgram = (name: string): boolean => spawnSync(name, ['--version']).error === undefined;

export interface SeenWord {
  text: string;
  /** Points, from the top left of the page as it is displayed. */
  x0: number;
  y0: number;
  x1: number;
  y1: number;
  /** True where the PDF marks it as no content. */
  artifact?: boolean;
  /** True in bold type; unknown for other readers. */
  bold?: boolean;
}

/** Runs `work` with the bytes in a file. */
export async function withFile<T>(bytes: Uint8Array, work: (path: string) => Promise<T>): Promise<T> {
  const directory = await mkdtemp(join(tmpdir(), 'ocr-test-'));
  try {
    const path = join(directory, 'document.pdf');
    await writeFile(path, bytes);
    return await work(path);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

/** The words of each page as PDFium finds them. */
export async function readByPdfium(path: string, password?: string): Promise<SeenWord[][]> {
  const pdf = await openPdf(path, password);
  try {
    return Array.from({ length: pdf.pageCount }, (_, index) => readPdfPage(pdf, index)?.layer.words ?? []);
  } finally {
    pdf.close();
  }
}

/** The words of each page as poppler's pdftotext finds them. */
export async function readByPoppler(path: string): Promise<SeenWord[][]> {
  const { stdout } = await run('pdftotext', ['-bbox', '-cropbox', path, '-'], { maxBuffer: 64e6 });
  return stdout
    .split('<page ')
    .slice(1)
    .map((page) =>
      [...page.matchAll(/<word xMin="(.*?)" yMin="(.*?)" xMax="(.*?)" yMax="(.*?)">(.*?)<\/word>/g)].map(
        ([, x0, y0, x1, y1, text = '']) => ({
          text: text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"').replaceAll('&amp;', '&'),
          ...{ x0: Number(x0), y0: Number(y0), x1: Number(x1), y1: Number(y1) },
        }),
      ),
    );
}

/** The text of each page as poppler gives it, line by line. */
export async function readTextByPoppler(path: string, ...options: string[]): Promise<string[]> {
  const { stdout } = await run('pdftotext', [...options, path, '-'], { maxBuffer: 64e6 });
  return stdout.split('\f').slice(0, -1);
}

/** The text of each page as pdf.js gives it. */
export async function readByPdfJs(bytes: Uint8Array): Promise<string[]> {
  // It takes the buffer away from its owner.
  const pdf = await getDocumentProxy(Uint8Array.from(bytes));
  const { text } = await extractText(pdf, { mergePages: false });
  await pdf.destroy();
  return text;
}

/** Returns the complaints of qpdf; empty for a sound file. */
export async function checkByQpdf(path: string): Promise<string> {
  try {
    const { stderr } = await run('qpdf', ['--check', path]);
    return stderr;
  } catch (error) {
    return (error as { stderr: string }).stderr || String(error);
  }
}
