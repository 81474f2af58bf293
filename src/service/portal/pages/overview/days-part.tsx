import { countOf } from '../../../../contract/count-of.js';
import { BarChart } from '../../components/bar-chart.js';
import { CodeBlock } from '../../components/code-block.js';
import { type Column, DataTable } from '../../components/data-table.js';
import { EmptyState } from '../../components/empty-state.js';
import { type ChartDay, DAY_MS, formatDay } from './days.js';
import type { Allowance } from './figures.js';
import type { Span } from './read-span.js';

/** A level higher than this many times the highest bar flattens the bars. */
const MAX_LEVEL_RATIO = 3;
const format = (n: number) => n.toLocaleString('en');

/** Documents per day against the plan. */
export function DaysPart(props: { days: readonly ChartDay[]; span: Span; allowance: Allowance; example: string }) {
  const { days, allowance, example } = props;
  const past = days.filter(({ isFuture }) => !isFuture);
  const total = past.reduce((sum, { counted }) => sum + counted, 0);
  const isEmpty = past.every(({ accepted }) => accepted === 0);
  return (
    <section class="panel" aria-labelledby="overview-days">
      <div class="title">
        <h2 id="overview-days">Documents per day</h2>
        {isEmpty ? null : <p class="soft">{`${format(total)} in these days`}</p>}
      </div>
      {isEmpty ? (
        <NoDocuments isNew={allowance.used === 0} example={example} />
      ) : (
        <Chart days={days} past={past} total={total} allowance={allowance} />
      )}
    </section>
  );
}

function Chart(props: { days: readonly ChartDay[]; past: readonly ChartDay[]; total: number; allowance: Allowance }) {
  const { days, past, total, allowance } = props;
  const perDay = planPerDay(allowance);
  const most = past.reduce((best, day) => (day.counted > best.counted ? day : best));
  const hasLevel = perDay !== undefined && perDay <= most.counted * MAX_LEVEL_RATIO;
  const [first, last] = [days[0]?.day ?? '', days.at(-1)?.day ?? ''];
  const summary = `${countOf(total, 'document')} from ${formatDay(first)} to ${formatDay(past.at(-1)?.day ?? first)}; most on ${formatDay(most.day)}: ${format(most.counted)}`;
  return (
    <>
      <BarChart
        bars={days.map((day) => ({ value: day.counted, title: describeDay(day), isOpen: day.isToday }))}
        summary={summary}
        first={formatDay(first)}
        last={formatDay(last)}
        level={hasLevel ? perDay : undefined}
      />
      <div class="legend">
        <p>
          {perDay === undefined ? null : (
            <span class={hasLevel ? 'of-level' : ''}>{`The plan allows ${formatMean(perDay)} a day on average.`}</span>
          )}{' '}
          <span>Days are in UTC; failed documents do not count.</span>{' '}
          {past.at(-1)?.isToday ? <span>The outlined day is not over.</span> : null}
        </p>
        <details>
          <summary>Show as table</summary>
          <DataTable
            caption="Documents per day, newest first"
            columns={COLUMNS}
            rows={[...past].reverse()}
            idOf={idOf}
          />
        </details>
      </div>
    </>
  );
}

function NoDocuments({ isNew, example }: { isNew: boolean; example: string }) {
  if (!isNew)
    return (
      <EmptyState title="No documents in these days">
        <p>Choose a longer period to see earlier ones.</p>
      </EmptyState>
    );
  return (
    <EmptyState title="No documents yet">
      <p>Send one with one of your keys. It then counts here.</p>
      <CodeBlock text={example} name="example" />
    </EmptyState>
  );
}

/** Returns the mean of documents a day that the plan allows. */
function planPerDay({ limit, period }: Allowance): number | undefined {
  return limit === undefined ? undefined : limit / ((period.endsAtMs - period.startsAtMs) / DAY_MS);
}

function formatMean(perDay: number): string {
  return perDay < 10 ? perDay.toFixed(1).replace(/\.0$/, '') : format(Math.floor(perDay));
}

function describeDay({ day, counted, failed, isToday, isFuture }: ChartDay): string {
  if (isFuture) return formatDay(day);
  const more = `${failed === 0 ? '' : `, ${format(failed)} failed`}${isToday ? ', so far' : ''}`;
  return `${formatDay(day)}: ${format(counted)}${more}`;
}

const idOf = ({ day }: ChartDay) => `day-${day}`;

const COLUMNS: ReadonlyArray<Column<ChartDay>> = [
  { title: 'Day', class: 'nowrap', cell: ({ day, isToday }) => `${formatDay(day)}${isToday ? ', so far' : ''}` },
  { title: 'Documents', class: 'number', cell: ({ counted }) => format(counted) },
  { title: 'Failed', class: 'number', cell: ({ failed }) => format(failed) },
  { title: 'Cached', class: 'number', cell: ({ cached }) => format(cached) },
  { title: 'Pages', class: 'number', cell: ({ pages }) => format(pages) },
];
