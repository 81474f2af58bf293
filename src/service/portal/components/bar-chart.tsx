import { niceMax } from './nice-max.js';

/** A bar, and the text that a pointer gets. */
interface Bar {
  value: number;
  title: string;
  /** True for a value that still grows. */
  isOpen?: boolean;
}

const HEIGHT = 100;
const BAR_WIDTH = 0.68;

/**
 * Bars over time, drawn by the server. The drawing stretches to the width of its place, so its texts are HTML beside it. A table
 * has the same values for who cannot see it; `summary` says them in a sentence.
 */
export function BarChart(props: {
  bars: readonly Bar[];
  summary: string;
  /** Labels under the first and the last bar. */
  first: string;
  last: string;
  /** A level to compare with; it is left out where it would flatten the bars. */
  level?: number | undefined;
}) {
  const { bars, summary, first, last, level } = props;
  const top = niceMax(Math.max(0, ...bars.map(({ value }) => value), level ?? 0));
  const yOf = (value: number) => HEIGHT - (value / top) * HEIGHT;
  return (
    <div class="chart">
      <div class="scale" aria-hidden="true">
        {[top, top / 2, 0].map((value) => (
          <span key={value}>{value.toLocaleString('en')}</span>
        ))}
      </div>
      <svg viewBox={`0 0 ${bars.length} ${HEIGHT}`} preserveAspectRatio="none" role="img" aria-label={summary}>
        {[0, HEIGHT / 2, HEIGHT].map((y) => (
          <line key={y} class="grid" x1={0} x2={bars.length} y1={y} y2={y} />
        ))}
        {bars.map(({ value, title, isOpen = false }, x) => (
          <g key={title}>
            <title>{title}</title>
            <rect class="reach" x={x} y={0} width={1} height={HEIGHT} />
            <rect
              class={isOpen ? 'bar open' : 'bar'}
              x={x + (1 - BAR_WIDTH) / 2}
              y={yOf(value)}
              width={BAR_WIDTH}
              height={HEIGHT - yOf(value)}
            />
          </g>
        ))}
        {level === undefined ? null : <line class="level" x1={0} x2={bars.length} y1={yOf(level)} y2={yOf(level)} />}
      </svg>
      <div class="span" aria-hidden="true">
        <span>{first}</span>
        <span>{last}</span>
      </div>
    </div>
  );
}
