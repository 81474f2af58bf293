import { OcrError } from '../../contract/ocr-error.js';
import { hideSecrets } from '../../contract/secrets.js';
import { adviseOn } from '../../submission-lifecycle/add-hint.js';
import { type Cursor, digestOf, readCursor, writeCursor } from './cursor.js';
import { findPartEnd } from './split-text.js';

/**
 * Bound on the text of an answer, by estimateTokens. The text is in `content` and, for clients that show only that, in
 * `structuredContent` again; both together stay within 25,000 tokens.
 */
const MAX_TEXT_TOKENS = 11_500;

/** The result of a tool call. `nextCursor` stands at the top, as in the protocol's lists, and in both forms of the content. */
export interface ToolAnswer {
  content: Array<{ type: 'text'; text: string }>;
  structuredContent: Record<string, unknown>;
  nextCursor?: string;
  isError?: boolean;
  [field: string]: unknown;
}

/** The place from which a text is given, and what the next call needs to find it again. */
export interface TextPart {
  request: Pick<Cursor, 'path' | 'format' | 'pages'>;
  cursor: Cursor | undefined;
}

/**
 * Answers with the next part of a text.
 * @throws OcrError USAGE where the text is not the one that the cursor is of
 */
export function answerText(text: string, { request, cursor }: TextPart, facts: Record<string, unknown>): ToolAnswer {
  const digest = digestOf(text);
  if (cursor !== undefined && (cursor.digest !== digest || cursor.offset >= text.length)) {
    throw new OcrError('USAGE', `${request.path} has changed since the answer that gave this cursor`, {
      hint: 'Leave the cursor out to begin again.',
    });
  }
  const start = cursor?.offset ?? 0;
  const end = findPartEnd(text, start, MAX_TEXT_TOKENS);
  const part = text.slice(start, end);
  const next = end < text.length ? { nextCursor: writeCursor({ ...request, offset: end, digest }) } : {};
  const more = 'nextCursor' in next ? [{ ...next, remainingCharacters: text.length - end }] : [];
  return {
    content: [part, ...more.map((trailer) => JSON.stringify(trailer))].map((piece) => ({ type: 'text', text: piece })),
    structuredContent: { text: part, ...facts, ...next },
    ...next,
  };
}

/** Answers with an object, as JSON in the text too. */
export function answerObject(value: Record<string, unknown>): ToolAnswer {
  return { content: [{ type: 'text', text: JSON.stringify(value, null, 1) }], structuredContent: value };
}

/** Answers with an error: its code, the request's id, and what to do. */
export function answerError(error: OcrError): ToolAnswer {
  const { code, retryable, requestId = null, hint } = error;
  const message = hideSecrets(error.message);
  const whatToDo =
    hint ??
    adviseOnPassword(code, message) ??
    adviseOn(code, message) ??
    (retryable ? 'Try again in a while.' : 'See the message.');
  return {
    ...answerObject({ error: { code, message, requestId, retryable, whatToDo: hideSecrets(whatToDo) } }),
    isError: true,
  };
}

/** The tools take no password: it would be in the conversation. */
function adviseOnPassword(code: string, message: string): string | undefined {
  if (code !== 'INVALID_DOCUMENT' || !/password/i.test(message)) return undefined;
  return 'Ask the person to run this in a terminal, where the password is asked for: ocr extract -a password <path>';
}

/** Reads the cursor of a call, if it has one. @throws OcrError USAGE */
export function cursorOf(args: Record<string, unknown>): Cursor | undefined {
  const text = readText(args, 'cursor');
  return text === undefined ? undefined : readCursor(text);
}

/** Reads a text of a call's arguments; an empty one counts as absent. @throws OcrError USAGE */
export function readText(args: Record<string, unknown>, name: string): string | undefined {
  const value = args[name] ?? undefined;
  if (value === undefined || value === '') return undefined;
  if (typeof value === 'string') return value;
  throw new OcrError('USAGE', `${name} must be text`, { hint: 'Correct the argument.' });
}
