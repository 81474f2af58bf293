import { quote } from '../../../../contract/command-words.js';
import type { RequestRow } from '../../../../store/requests.js';

/** Renders a call of this service as curl, without its key; undefined for what no caller of the API sends. */
export function renderCurl(origin: string, { method, path, fileName }: RequestRow): string | undefined {
  if (path === null || !path.startsWith('/v1/')) return undefined;
  const url = quote(origin + path);
  const key = `-H "Authorization: Bearer $OCR_API_KEY"`;
  if (method === 'GET') return `curl ${key} ${url}`;
  if (method !== 'POST') return `curl -X ${quote(method)} ${key} ${url}`;
  return `curl ${key} \\\n  -F ${quote(`file=@${isPlain(fileName) ? fileName : 'file.pdf'}`)} ${url}`;
}

/** curl takes signs such as `;` in a name for its own. */
function isPlain(fileName: string | null): fileName is string {
  return fileName !== null && /^[\p{L}\p{N}][\p{L}\p{N}._ -]*$/u.test(fileName);
}

/** Renders a first call for somebody who has a key. */
export function renderExample(origin: string): string {
  return (
    renderCurl(origin, { method: 'POST', path: '/v1/ocr/TEXT_EXTRACTION', fileName: 'file.pdf' } as RequestRow) ?? ''
  );
}
