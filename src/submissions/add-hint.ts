import { extractCommand, type SentDocument } from '../contract/command-words.js';
import type { OcrError } from '../contract/ocr-error.js';
import { isGone } from './note-state.js';

/**
 * Adds the command to type to an error that does not say it: an encrypted document needs its password, and one whose job
 * is gone is sent again.
 */
export function addHint(error: OcrError, sent: SentDocument): OcrError {
  if (error.hint !== undefined) return error;
  if (isGone(error)) return error.with({ hint: extractCommand(sent) });
  return needsPassword(error.code, error.message) ? error.with({ hint: passwordCommand(sent) }) : error;
}

export function needsPassword(code: string | null, message: string | null): boolean {
  return code === 'INVALID_DOCUMENT' && /encrypt|password/i.test(message ?? '');
}

/** The same once more, asking for the password. */
export function passwordCommand(sent: SentDocument): string {
  return extractCommand({ ...sent, args: { ...sent.args, password: null } });
}
