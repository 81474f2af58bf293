import { OcrError } from '../../contract/ocr-error.js';

/**
 * commander's words for a mistake on the command line, in ours: what is wrong, what was probably meant, where to look.
 * `commandPath` as it is typed: `ocr jobs wait`.
 */
export function usageError(message: string, commandPath: string): OcrError {
  const [what = '', ...more] = message.replace(/^error: /, '').split('\n');
  const meant = more.map((line) => line.replace(/^\((.+)\)$/, '$1').trim()).filter((line) => line !== '');
  return new OcrError('USAGE', what, { hint: [...meant, `Try: ${commandPath} --help`].join('\n') });
}
