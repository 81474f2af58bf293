import { OcrError } from '../../contract/ocr-error.js';

/** `hint` says what should be piped into it. @throws OcrError USAGE where standard input is a terminal */
export function refuseTerminal({ isTTY }: NodeJS.ReadStream, hint: string): void {
  if (isTTY) throw new OcrError('USAGE', 'Standard input is a terminal', { hint });
}

/** Standard input to its end, or until more than `maxBytes` came. @throws the signal's reason */
export async function readStandardInput(
  stdin: NodeJS.ReadStream,
  signal: AbortSignal,
  maxBytes = Number.POSITIVE_INFINITY,
): Promise<Buffer> {
  signal.throwIfAborted();
  let size = 0;
  const chunks: Buffer[] = [];
  const stop = () => stdin.destroy();
  signal.addEventListener('abort', stop, { once: true });
  try {
    for await (const chunk of stdin) {
      chunks.push(chunk as Buffer);
      size += (chunk as Buffer).length;
      if (size > maxBytes) break;
    }
  } finally {
    signal.removeEventListener('abort', stop);
    signal.throwIfAborted();
  }
  return Buffer.concat(chunks);
}
