import { OcrError } from '../../contract/ocr-error.js';
import { suggest } from '../../contract/suggest.js';

type Schema = Record<string, unknown>;

/** A tool as the protocol lists it. */
interface Tool {
  name: string;
  title: string;
  description: string;
  inputSchema: { type: 'object'; properties: Record<string, Schema>; required?: string[]; additionalProperties: false };
  annotations: { readOnlyHint: boolean; openWorldHint: boolean };
}

const PATH: Schema = {
  type: 'string',
  description:
    'Path of the document: absolute, or relative to one of the roots. PDF, PNG, JPEG, WebP, BMP, GIF, TIFF, HEIC, AVIF.',
};
const PAGES: Schema = {
  type: 'string',
  description: 'The pages to read, such as 1-3,7 or -1 for the last; all if absent.',
};
const CURSOR: Schema = {
  type: 'string',
  description: 'nextCursor of the last answer, unchanged, to read on where it ended.',
};
const READS = { readOnlyHint: true, openWorldHint: false };

/** The tools of the server. Long answers come in parts: an answer that is not the last has a `nextCursor`. */
export const TOOLS: readonly Tool[] = [
  {
    name: 'read_document',
    title: 'Read a document',
    description:
      'Reads the text of a PDF, scan or photograph. Scanned pages are recognised. Returns Markdown, or plain text on request. A long document comes in parts: call again with the nextCursor of the answer.',
    inputSchema: {
      type: 'object',
      properties: {
        path: PATH,
        format: {
          type: 'string',
          enum: ['markdown', 'text'],
          default: 'markdown',
          description: 'The form of the text.',
        },
        pages: PAGES,
        cursor: CURSOR,
      },
      required: ['path'],
      additionalProperties: false,
    },
    annotations: READS,
  },
  {
    name: 'extract_tables',
    title: 'Extract tables',
    description: 'Finds the tables of a document and returns each as CSV with its page.',
    inputSchema: {
      type: 'object',
      properties: { path: PATH, pages: PAGES, cursor: CURSOR },
      required: ['path'],
      additionalProperties: false,
    },
    annotations: READS,
  },
  {
    name: 'inspect_document',
    title: 'Inspect a document',
    description:
      'Describes a document without reading its text: its pages, which of them are scans, metadata, encryption, fonts and forms. Fast, also for long documents.',
    inputSchema: {
      type: 'object',
      properties: { path: PATH, cursor: CURSOR },
      required: ['path'],
      additionalProperties: false,
    },
    annotations: READS,
  },
  {
    name: 'list_functions',
    title: 'List functions',
    description: 'Lists what the OCR service can do with a document, with accepted types, page limits and arguments.',
    inputSchema: { type: 'object', properties: {}, additionalProperties: false },
    annotations: READS,
  },
  {
    name: 'find_request',
    title: 'Find a request',
    description:
      'Finds what was sent to the OCR service and what became of it, by a request id, a job id, a part of a file name, or a SHA-256. For support: document text is not kept.',
    inputSchema: {
      type: 'object',
      properties: {
        query: { type: 'string', description: 'req_…, job_…, a part of a file name, or a SHA-256.' },
      },
      required: ['query'],
      additionalProperties: false,
    },
    annotations: READS,
  },
];

/** Refuses arguments that a tool does not have: ignored, a mistyped `page` would read the whole document. @throws OcrError USAGE */
export function refuseUnknownArguments(name: string, args: Record<string, unknown>): void {
  const { properties = {} } = TOOLS.find((tool) => tool.name === name)?.inputSchema ?? {};
  const known = Object.keys(properties);
  const unknown = Object.keys(args).find((arg) => !known.includes(arg));
  if (unknown === undefined) return;
  const near = suggest(unknown, known);
  const others = known.length === 0 ? 'It takes none.' : `It takes ${known.join(', ')}.`;
  throw new OcrError('USAGE', `${name} has no argument ${unknown}`, {
    hint: near === undefined ? others : `Did you mean ${near}?`,
  });
}
