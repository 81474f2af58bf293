import { JOB_STATES } from '../../../../contract/envelopes.js';
import { SERVICE_ERRORS } from '../../../../contract/error-codes.js';
import { catalog } from '../../../../functions/catalog.js';
import type { JobCounts } from '../../../../store/job-pages.js';
import type { JobRow } from '../../../../store/jobs.js';
import type { Page as Part } from '../../../../store/page.js';
import { CodeBlock } from '../../components/code-block.js';
import { EmptyState } from '../../components/empty-state.js';
import { ANY, Choice, ErrorSummary, errorOf, Field, optionsOf } from '../../components/fields.js';
import { Figure } from '../../components/figure.js';
import { Filters } from '../../components/filters.js';
import { formatCount } from '../../components/format-count.js';
import type { Frame } from '../../components/frame.js';
import { ListPanel } from '../../components/list-panel.js';
import { Page } from '../../components/page.js';
import { formatDuration } from '../../components/time.js';
import { JOBS_PATH, jobColumns } from './job-columns.js';
import { FILTER_LABELS, type FilterName, type ReadFilter } from './read-filter.js';

interface ListProps {
  frame: Frame;
  read: ReadFilter;
  part: Part<JobRow>;
  counts: JobCounts;
  nowMs: number;
  /** A call of this service that a newcomer can try. */
  example: string;
}

/** The queue in numbers, and the list of jobs. */
export function ListPage({ frame, read, part, counts, nowMs, example }: ListProps) {
  const { query, filter, errors } = read;
  const isOlderPage = filter.before !== undefined;
  const chips = (Object.entries(query) as Array<[FilterName, string]>).map(([name, value]) => ({
    name,
    label: FILTER_LABELS[name],
    value,
  }));
  return (
    <Page frame={frame} title="Job Queues" styles={['lists.css', 'figures.css']}>
      <ErrorSummary errors={errors} />
      <Numbers counts={counts} nowMs={nowMs} />
      <Filters path={JOBS_PATH} chips={chips} query={query} isOpen={errors.length > 0}>
        <FilterFields {...read} />
      </Filters>
      <ListPanel
        caption="Jobs, newest first"
        columns={jobColumns(nowMs)}
        idOf={({ jobId }) => jobId}
        nouns={['job', 'jobs']}
        part={part}
        path={JOBS_PATH}
        query={query}
        isOlderPage={isOlderPage}
      >
        <NoRows isFiltered={chips.length > 0} hasOlder={part.olderThan !== undefined} example={example} />
      </ListPanel>
    </Page>
  );
}

function Numbers({ counts, nowMs }: { counts: JobCounts; nowMs: number }) {
  const { queued, running, oldestQueuedAtMs, completed, failed } = counts;
  const oldest = oldestQueuedAtMs === undefined ? '–' : formatDuration(Math.max(0, nowMs - oldestQueuedAtMs));
  const numbers = [
    ['Queued', formatCount(queued)],
    ['Running', formatCount(running)],
    ['Oldest wait', oldest],
    ['Done today', formatCount(completed)],
    ['Failed today', formatCount(failed)],
  ] as const;
  return (
    <dl class="figures panel" aria-label="The queue">
      {numbers.map(([name, figure]) => (
        <Figure key={name} name={name} figure={figure} />
      ))}
    </dl>
  );
}

function FilterFields({ query, errors }: ReadFilter) {
  const common = (name: FilterName) => {
    return { name, label: FILTER_LABELS[name], value: query[name] ?? '', ...errorOf(errors, name) };
  };
  const time = { attributes: { type: 'datetime-local' as const }, hint: 'UTC' };
  return (
    <>
      <Choice {...common('state')} options={[ANY, ...optionsOf(JOB_STATES)]} />
      <Choice {...common('function')} options={[ANY, ...optionsOf(catalog.map(({ id }) => id))]} />
      <Choice {...common('code')} options={[ANY, ...optionsOf(Object.keys(SERVICE_ERRORS))]} />
      <Field {...common('from')} {...time} />
      <Field {...common('to')} {...time} />
    </>
  );
}

function NoRows({ isFiltered, hasOlder, example }: { isFiltered: boolean; hasOlder: boolean; example: string }) {
  const isNew = !isFiltered && !hasOlder;
  const [title, text] = hasOlder
    ? ['None among these jobs', 'Few jobs match. Look on among older ones.']
    : isFiltered
      ? ['No job matches', 'Remove a filter above to see more.']
      : ['No jobs yet', 'Each document that is read is a job. Send one with a key: its line comes here.'];
  return (
    <EmptyState title={title}>
      <p>{text}</p>
      {isNew ? <CodeBlock text={example} name="example" /> : null}
    </EmptyState>
  );
}
