import { createInterface } from 'node:readline';
import { OcrError } from '../../contract/ocr-error.js';
import type { PromptOptions } from './prompt-secret.js';

/** Asks for a line of text on the terminal, which shows what is typed. @throws OcrError INTERRUPTED on Ctrl-C */
export async function promptText(question: string, { stdin, stderr, signal }: PromptOptions): Promise<string> {
  await stderr.write(`${question}: `);
  const lines = createInterface({ input: stdin, output: process.stderr, terminal: true });
  let isEnded = false;
  try {
    return await new Promise<string>((resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
      lines.on('SIGINT', () => reject(new OcrError('INTERRUPTED', 'Interrupted')));
      lines.on('close', () => resolve(''));
      lines.on('line', (line) => {
        isEnded = true;
        resolve(line.trim());
      });
    });
  } finally {
    lines.close();
    stdin.pause();
    // The next line does not follow the question.
    if (!isEnded) await stderr.write('\n');
  }
}
