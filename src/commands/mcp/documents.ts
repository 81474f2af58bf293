import { stat } from 'node:fs/promises';
import type { Context } from '../../context.js';
import { OcrError } from '../../contract/ocr-error.js';
import { answerObject, answerText, cursorOf, readText, type ToolAnswer } from './answer.js';
import type { ReadRequest } from './read-through.js';
import { findBelow, type Root } from './roots.js';
import { estimateTokens } from './split-text.js';
import type { ReadText, TextMemory } from './text-memory.js';

/** Bound on remarks about a result, which an answer repeats. */
const MAX_WARNING_TOKENS = 400;

/** The outside world of a call. */
export interface Call extends Pick<ReadRequest, 'signal' | 'onProgress'> {
  context: Context;
  roots: readonly Root[];
  memory: TextMemory;
}

/** A document that a call asks for. */
interface Wanted {
  /** The path as it was given. */
  path: string;
  /** The file at its end. */
  file: string;
  format: string | undefined;
  pages: string | undefined;
}

type Args = Record<string, unknown>;

/** The text of a document. @throws OcrError */
export async function readDocument(call: Call, args: Args): Promise<ToolAnswer> {
  return await answerPart('read', call, args, async (wanted) => {
    const { format = 'markdown' } = wanted;
    if (format !== 'markdown' && format !== 'text') {
      throw new OcrError('USAGE', `format must be markdown or text, not ${format}`, { hint: 'Correct the argument.' });
    }
    const body = await run(call, wanted, 'TEXT_EXTRACTION', format === 'markdown' ? { format } : {});
    const { text } = resultOf(body);
    if (typeof text !== 'string') throw badResult(body, 'no text');
    return { text, facts: factsOf(body) };
  });
}

/** The tables of a document, as CSV under their pages. @throws OcrError */
export async function extractTables(call: Call, args: Args): Promise<ToolAnswer> {
  return await answerPart('tables', call, args, async (wanted) => {
    const body = await run(call, wanted, 'TABLE_EXTRACTION', {});
    const { tables } = resultOf(body);
    if (!Array.isArray(tables)) throw badResult(body, 'no tables');
    const text = tables.map(renderTable).join('\n');
    return { text: text === '' ? 'No tables were found.' : text, facts: { ...factsOf(body), tables: tables.length } };
  });
}

/** The facts about a document, as JSON. @throws OcrError */
export async function inspectDocument(call: Call, args: Args): Promise<ToolAnswer> {
  return await answerPart('inspection', call, args, async (wanted) => {
    const body = await run(call, wanted, 'DOCUMENT_INSPECTION', {});
    return { text: JSON.stringify(resultOf(body), null, 1), facts: factsOf(body) };
  });
}

/** The functions of the service. Schemas of results are left out: no tool gives results as they are. @throws OcrError */
export async function listFunctions({ context, signal }: Call): Promise<ToolAnswer> {
  const catalog = await (await context.api()).withSignal(signal).getCatalog();
  const functions = catalog.map(({ body: _body, resultSchema: _schema, ...listed }) => listed);
  return answerObject({ functions });
}

/** Answers with the part that a call asks for; the whole is remembered for the calls that ask for the next ones. */
async function answerPart(
  tool: string,
  call: Call,
  args: Args,
  read: (wanted: Wanted) => Promise<ReadText>,
): Promise<ToolAnswer> {
  const cursor = cursorOf(args);
  const given = { path: readText(args, 'path'), format: readText(args, 'format'), pages: readText(args, 'pages') };
  const { path, format, pages } = cursor ?? given;
  if (path === undefined) throw new OcrError('USAGE', 'path is missing', { hint: 'Name the document to read.' });
  const file = await findBelow(call.roots, path);
  const wanted = { path, file, format, pages };
  const { size, mtimeMs, ino } = await stat(file);
  const key = JSON.stringify([tool, file, size, mtimeMs, ino, format, pages]);
  const found = call.memory.get(key) ?? (await read(wanted));
  call.memory.set(key, found);
  return answerText(found.text, { request: { path, format, pages }, cursor }, found.facts);
}

async function run(
  { context, signal, onProgress }: Call,
  { path, file, pages }: Wanted,
  functionId: string,
  args: Args,
) {
  const { readThrough } = await import('./read-through.js');
  const chosen = { ...args, ...(pages === undefined ? {} : { pages }) };
  return await readThrough(context, { path: file, name: path, functionId, args: chosen, signal, onProgress });
}

function resultOf(body: Record<string, unknown>): Record<string, unknown> {
  return (body.result ?? {}) as Record<string, unknown>;
}

function factsOf(body: Record<string, unknown>): Record<string, unknown> {
  const { pageCount, confidence } = (body.meta ?? {}) as Record<string, unknown>;
  const { warnings } = resultOf(body);
  const facts = { requestId: body.requestId, pageCount, confidence };
  const isBrief = Array.isArray(warnings) && estimateTokens(JSON.stringify(warnings)) <= MAX_WARNING_TOKENS;
  return isBrief && warnings.length > 0 ? { ...facts, warnings } : facts;
}

function renderTable(table: unknown, index: number): string {
  const { page, csv } = (table ?? {}) as Record<string, unknown>;
  const content = typeof csv === 'string' ? csv.replaceAll('\r\n', '\n').trimEnd() : JSON.stringify(table);
  return `Table ${index + 1}${page === undefined ? '' : `, page ${page}`}\n${content}\n`;
}

function badResult({ requestId }: Record<string, unknown>, lack: string): OcrError {
  return new OcrError('BAD_RESPONSE', `The service's result has ${lack} in it`, {
    requestId: typeof requestId === 'string' ? requestId : undefined,
    hint: 'Ask whoever runs the service.',
  });
}
