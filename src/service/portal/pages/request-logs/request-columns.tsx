import { renderKeyEnd } from '../../../../contract/portal.js';
import type { RequestRow } from '../../../../store/requests.js';
import { Badge, toneOfStatus } from '../../components/badge.js';
import { Copyable } from '../../components/copyable.js';
import { Cut } from '../../components/cut.js';
import { type Column, None } from '../../components/data-table.js';
import { Link } from '../../components/link.js';
import { Time } from '../../components/time.js';
import { WithBreaks } from '../../components/with-breaks.js';

/** The columns of the list of calls. */
export const REQUEST_COLUMNS: ReadonlyArray<Column<RequestRow>> = [
  { title: 'Time', class: 'nowrap', cell: ({ createdAtMs }) => <Time ms={createdAtMs} /> },
  {
    title: 'Status',
    class: 'state',
    cell: ({ httpStatus }) => <Badge tone={toneOfStatus(httpStatus)}>{httpStatus ?? 'open'}</Badge>,
  },
  { title: 'Code', cell: (row) => codeOf(row) },
  {
    title: 'Function',
    class: 'nowrap',
    cell: ({ function: name }) => (name === '' ? <None /> : <span class="word">{name}</span>),
  },
  {
    title: 'File',
    class: 'fill',
    cell: ({ fileName }) => (fileName === null ? <None /> : <Cut text={fileName} />),
  },
  { title: 'Pages', class: 'number', cell: ({ pageCount }) => pageCount ?? <None /> },
  { title: 'ms', class: 'number', cell: ({ durationMs }) => durationMs?.toLocaleString('en') ?? <None /> },
  { title: 'Cached', cell: ({ cached }) => (cached === 1 ? 'yes' : <None />) },
  {
    title: 'Key',
    class: 'nowrap',
    cell: ({ keyLastFour }) => (keyLastFour === null ? <None /> : renderKeyEnd(keyLastFour)),
  },
  {
    title: 'Request ID',
    class: 'nowrap',
    cell: ({ requestId }) => (
      <Copyable text={requestId} name="request ID" to={<Link to={`/request-logs/${requestId}`}>{requestId}</Link>} />
    ),
  },
];

/** Returns the error's code: of the answer, or of the job that failed after its call was answered. */
function codeOf({ errorCode, httpStatus, jobStatus, jobErrorCode }: RequestRow) {
  const code = httpStatus === 202 && jobStatus === 'failed' ? jobErrorCode : errorCode;
  return code === null ? <None /> : <WithBreaks text={code} />;
}
