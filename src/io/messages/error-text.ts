import type { OcrError } from '../../contract/ocr-error.js';
import { hideSecrets } from '../../contract/secrets.js';
import { makeOneLine } from '../../contract/visible.js';
import type { Style } from '../terminal/style.js';

/** Renders a line with the failure and the requestId, then one for each line of the hint, such as the next command to type. */
export function renderError(error: OcrError, style: Style): string {
  const show = (text: string) => hideSecrets(makeOneLine(text));
  const reference = error.requestId === undefined ? '' : style.dim(` (${error.code}, ${show(error.requestId)})`);
  const lines = [`${style.red('ocr:')} ${show(error.message)}${reference}`];
  for (const hint of error.hint?.split('\n') ?? []) {
    // A bare command is said to be one.
    lines.push(`${/^(?:ocr|npm|qpdf) /.test(hint) ? 'Try: ' : ''}${show(hint)}`);
  }
  return `${lines.join('\n')}\n`;
}

/** The contract's error envelope; also for errors found on this side. */
export function errorEnvelope(error: OcrError): Record<string, unknown> {
  return {
    error: {
      code: error.code,
      message: hideSecrets(error.message),
      // Always there, so that scripts need not ask; errors found on this side have no request.
      requestId: error.requestId ?? null,
      retryable: error.retryable,
      ...(error.retryAfterSeconds === undefined ? {} : { retryAfterSeconds: error.retryAfterSeconds }),
    },
  };
}

/** The same error, its message beginning with the input unless it names it already. */
export function nameInput(error: OcrError, input: string | undefined): OcrError {
  if (input === undefined || isNamedIn(error.message, input)) return error;
  return error.with({ message: `${input}: ${error.message}` });
}

/** True when the text has the name as a word: `file.pdf` does not name `e.pdf`. */
function isNamedIn(text: string, name: string): boolean {
  for (let at = text.indexOf(name); at !== -1; at = text.indexOf(name, at + 1))
    if (!/[\w.-]$/.test(text.slice(0, at))) return true;
  return false;
}
