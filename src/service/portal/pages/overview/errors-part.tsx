import { isServiceErrorCode, SERVICE_ERRORS } from '../../../../contract/error-codes.js';
import type { ErrorCount } from '../../../../store/request-counts.js';
import { type Column, DataTable, None } from '../../components/data-table.js';
import { Link } from '../../components/link.js';
import { WithBreaks } from '../../components/with-breaks.js';
import { JOBS_PATH } from '../job-queues/job-columns.js';

/** The most frequent errors of a day, by code and function. */
export function ErrorsPart({ errors, sinceMs }: { errors: readonly ErrorCount[]; sinceMs: number }) {
  const from = new Date(sinceMs).toISOString().slice(0, 16);
  return (
    <section class="panel" aria-labelledby="overview-errors">
      <div class="title">
        <h2 id="overview-errors">Top errors</h2>
        <p class="soft">24 hours</p>
      </div>
      {errors.length === 0 ? (
        <p class="quiet">No call was refused, and no job failed.</p>
      ) : (
        <DataTable
          caption="Errors of 24 hours, most frequent first"
          columns={columnsOf(from)}
          rows={errors}
          idOf={idOf}
        />
      )}
    </section>
  );
}

const idOf = ({ code, function: name, kind }: ErrorCount) => `error-${code}-${name}-${kind}`;

function columnsOf(from: string): ReadonlyArray<Column<ErrorCount>> {
  return [
    {
      title: 'Code',
      class: 'prose',
      cell: ({ code, function: name, kind }) => (
        <div>
          <Link
            to={kind === 'call' ? '/request-logs' : JOBS_PATH}
            query={{ code, function: name, from, ...(kind === 'call' ? {} : { state: 'failed' }) }}
          >
            <WithBreaks text={code} />
          </Link>
          {isServiceErrorCode(code) ? <p class="soft">{SERVICE_ERRORS[code].meaning}</p> : null}
        </div>
      ),
    },
    {
      title: 'Function',
      class: 'nowrap',
      cell: ({ function: name }) => (name === '' ? <None /> : <span class="word">{name}</span>),
    },
    { title: 'On', class: 'nowrap', cell: ({ kind }) => (kind === 'call' ? 'calls' : 'jobs') },
    { title: 'Count', class: 'number', cell: ({ n }) => n.toLocaleString('en') },
  ];
}
