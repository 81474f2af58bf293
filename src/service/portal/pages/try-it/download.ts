import { parse } from 'node:path';
import type { OcrFunction, PrintedTable } from '../../../../functions/function.js';
import { type PortalAnswer, PortalNotFound } from '../../answers.js';

const TYPES: Record<string, string> = {
  '.json': 'application/json; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
  '.csv': 'text/csv; charset=utf-8',
  '.tsv': 'text/tab-separated-values; charset=utf-8',
  '.pdf': 'application/pdf',
};

interface Download {
  /** `json`, or `file` for the form that the function itself has for people. */
  form: string;
  /** Name of the document. */
  fileName: string | null;
  body: string;
}

/** Sends a result as a file. @throws PortalNotFound for another form */
export function answerDownload({ output }: OcrFunction, { form, fileName, body }: Download): PortalAnswer {
  if (form === 'json') return answerFile(body, fileName, '.json');
  const printed = form === 'file' ? output.print(JSON.parse(body)) : undefined;
  if (printed === undefined) throw new PortalNotFound();
  if (typeof printed === 'string') return answerFile(printed, fileName, output.extension);
  if (printed instanceof Uint8Array) return answerFile(Buffer.from(printed), fileName, output.extension);
  return answerFile(renderTable(printed), fileName, output.extension);
}

function answerFile(body: string | Buffer, fileName: string | null, extension: string): PortalAnswer {
  const name = encodeURIComponent(`${parse(fileName ?? '').name || 'result'}${extension}`).replace(/['()*]/g, escape);
  return {
    status: 200,
    body,
    headers: {
      'content-type': TYPES[extension] ?? 'application/octet-stream',
      'content-disposition': `attachment; filename="result${extension}"; filename*=UTF-8''${name}`,
    },
  };
}

function renderTable({ columns, rows }: PrintedTable): string {
  return [columns, ...rows].map((cells) => `${cells.map((cell) => cell.replace(/\s/g, ' ')).join('\t')}\n`).join('');
}
