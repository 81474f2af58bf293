import { extractCommand, type SentDocument } from '../contract/command-words.js';
import { OcrError } from '../contract/ocr-error.js';

/** Adds the command to type to a refusal that does not say it: an encrypted document needs its password. */
export function addHint(error: OcrError, sent: SentDocument): OcrError {
  const { code, message, requestId, retryable, status } = error;
  if (error.hint !== undefined || !needsPassword(code, message)) return error;
  return new OcrError(code, message, {
    hint: passwordCommand(sent),
    retryable,
    ...(requestId === undefined ? {} : { requestId }),
    ...(status === undefined ? {} : { status }),
    cause: error,
  });
}

export function needsPassword(code: string | null, message: string | null): boolean {
  return code === 'INVALID_DOCUMENT' && /encrypt|password/i.test(message ?? '');
}

/** The same once more, asking for the password. */
export function passwordCommand(sent: SentDocument): string {
  return extractCommand({ ...sent, args: { ...sent.args, password: null } });
}
