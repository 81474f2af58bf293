import { OcrError } from '../../contract/ocr-error.js';
import type { Sink } from './sink.js';

export interface PromptOptions {
  stdin: NodeJS.ReadStream;
  stderr: Sink;
  signal: AbortSignal;
}

/** Asks for a secret on the terminal and shows nothing of what is typed. @throws OcrError INTERRUPTED on Ctrl-C */
export async function promptSecret(question: string, { stdin, stderr, signal }: PromptOptions): Promise<string> {
  // First: who sees the question may begin to type.
  stdin.setRawMode(true);
  stdin.setEncoding('utf8');
  let typed = '';
  try {
    await stderr.write(`${question}: `);
    stdin.resume();
    return await new Promise<string>((resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
      stdin.on('end', () => resolve(typed));
      stdin.on('data', (chunk: string) => {
        for (const char of chunk) {
          if (char === '\r' || char === '\n' || char === '\x04') return resolve(typed);
          if (char === '\x03') return reject(new OcrError('INTERRUPTED', 'Interrupted'));
          if (char === '\x7f' || char === '\b') typed = [...typed].slice(0, -1).join('');
          else if (char === '\x15') typed = '';
          else typed += char;
        }
      });
    });
  } finally {
    stdin.removeAllListeners('data');
    stdin.setRawMode(false);
    stdin.pause();
    await stderr.write('\n');
  }
}
