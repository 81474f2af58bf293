import { adviseToConvert, convertCommand, PLAIN_TEXT, withoutAdvice } from '../../contract/foreign-type.js';
import type { OcrError } from '../../contract/ocr-error.js';
import { describeType } from './sniff-type.js';

interface RefusedFile {
  path: string;
  /** The name that the user gave; another than the path for a document from a pipe. */
  input: string;
  isJson: boolean;
}

/**
 * Adds what to do to the refusal of a document's type: the command that makes a PDF, with the path that the user gave, of which
 * the service knows the last part at most. A document from a pipe has a path that means nothing to people.
 */
export async function adviseOnType(error: OcrError, { path, input, isJson }: RefusedFile): Promise<OcrError> {
  if (error.code !== 'UNSUPPORTED_MEDIA_TYPE') return error;
  const message = withoutAdvice(error.message);
  const type = path === input ? await describeType(input).catch(() => undefined) : undefined;
  if (type === undefined) return error.with({ message });
  if (type === PLAIN_TEXT) return isJson ? error : error.with({ message, hint: adviseOnText(message.includes(type)) });
  // JSON has the message of the service and no hint.
  if (isJson) return message === error.message ? error : error.with({ message: adviseToConvert(message, input) });
  const convert = `onvert it first: ${convertCommand(input)}`;
  return error.with({ message, hint: message.includes(type) ? `C${convert}` : `It is ${type}; c${convert}` });
}

function adviseOnText(isNamed: boolean): string {
  return `It is ${isNamed ? 'text already' : PLAIN_TEXT}: there is nothing to recognise in it.`;
}
