import { adviseToConvert, convertCommand, withoutAdvice } from '../../contract/foreign-type.js';
import type { OcrError } from '../../contract/ocr-error.js';
import { describeType } from './sniff-type.js';

interface RefusedFile {
  path: string;
  /** The name that the user gave; another than the path for a document from a pipe. */
  input: string;
  isJson: boolean;
}

/**
 * Adds the command that makes a PDF to the refusal of a document's type, with the path that the user gave: the service
 * knows its last part at most. A document from a pipe has a path that means nothing to people.
 */
export async function adviseOnType(error: OcrError, { path, input, isJson }: RefusedFile): Promise<OcrError> {
  if (error.code !== 'UNSUPPORTED_MEDIA_TYPE') return error;
  const message = withoutAdvice(error.message);
  const type = path === input ? await describeType(input).catch(() => undefined) : undefined;
  if (type === undefined) return error.with({ message });
  // JSON has the message of the service and no hint.
  if (isJson) return message === error.message ? error : error.with({ message: adviseToConvert(message, input) });
  const convert = `onvert it first: ${convertCommand(input)}`;
  return error.with({ message, hint: message.includes(type) ? `C${convert}` : `It is ${type}; c${convert}` });
}
