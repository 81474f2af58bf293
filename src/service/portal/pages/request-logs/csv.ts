import type { RequestRow } from '../../../../store/requests.js';
import { renderCsvLine } from '../../csv.js';

const COLUMNS: ReadonlyArray<readonly [title: string, cell: (row: RequestRow) => string | number | null]> = [
  ['time', ({ createdAtMs }) => new Date(createdAtMs).toISOString()],
  ['status', ({ httpStatus }) => httpStatus],
  ['code', ({ errorCode, jobErrorCode }) => errorCode ?? jobErrorCode],
  ['function', (row) => row.function],
  ['file', ({ fileName }) => fileName],
  ['pages', ({ pageCount }) => pageCount],
  ['ms', ({ durationMs }) => durationMs],
  ['cached', ({ cached }) => (cached === 1 ? 'yes' : 'no')],
  ['key', ({ keyLastFour }) => keyLastFour],
  ['requestId', ({ requestId }) => requestId],
  ['jobId', ({ jobId }) => jobId],
  ['jobState', ({ jobStatus }) => jobStatus],
];

/** Renders calls as CSV (RFC 4180), as they are read. */
export async function* renderCsv(parts: AsyncIterable<RequestRow[]>): AsyncGenerator<string> {
  yield renderCsvLine(COLUMNS.map(([title]) => title));
  for await (const rows of parts) yield rows.map((row) => renderCsvLine(COLUMNS.map(([, cell]) => cell(row)))).join('');
}
