import { OcrError } from '../contract/ocr-error.js';

/**
 * Adds the command to type to a refusal that does not say it: an encrypted document needs its password. The command names
 * the function, or it would print the text of a document whose form was asked for.
 */
export function addHint(error: OcrError, input: string, functionId: string): OcrError {
  const { code, message, requestId, retryable, status } = error;
  if (error.hint !== undefined || code !== 'INVALID_DOCUMENT' || !/encrypt|password/i.test(message)) return error;
  const named = functionId === 'TEXT_EXTRACTION' ? '' : ` -f ${quote(functionId)}`;
  return new OcrError(code, message, {
    hint: `ocr extract${named} -a password ${quote(input)}`,
    retryable,
    ...(requestId === undefined ? {} : { requestId }),
    ...(status === undefined ? {} : { status }),
    cause: error,
  });
}

/** As a shell takes it for one word. */
function quote(word: string): string {
  return /^[\w./@%+:,=-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
