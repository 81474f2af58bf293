import type { Plan } from '../../../../store/plans.js';
import type { Period } from '../../../intake/subscription.js';
import { Figure, Meter } from '../../components/figure.js';
import { formatDuration } from '../../components/time.js';
import { dayOf, formatDay } from './days.js';
import type { Forecast } from './forecast.js';

/** Documents of the plan's present period. */
export interface Allowance {
  used: number;
  limit: number | undefined;
  period: Period;
}

interface FiguresProps {
  plan: Plan;
  allowance: Allowance;
  forecast: Forecast;
  /** The days that the pace is of: `in the last 7 days`. */
  paceOf: string;
  rateWindowMs: number;
  /** Calls that the rate refused in the last day. */
  refused: number;
}

const format = (n: number) => n.toLocaleString('en');

/** The figures of the plan: used, left, the day when nothing is left, the rate. */
export function Figures({ plan, allowance, forecast, paceOf, rateWindowMs, refused }: FiguresProps) {
  const { used, limit, period } = allowance;
  const lastDay = formatDay(dayOf(period.endsAtMs - 1));
  const { figure, note } = describeForecast(forecast, { lastDay, paceOf });
  return (
    <dl class="figures panel">
      <Figure name="Documents" figure={format(used)} note={limit === undefined ? 'no limit' : `of ${format(limit)}`}>
        {limit === undefined || limit === 0 ? null : <Meter share={used / limit} />}
      </Figure>
      <Figure
        name="Left"
        figure={limit === undefined ? 'No limit' : format(Math.max(0, limit - used))}
        note={
          <>
            {'to '}
            {lastDay}
            {', plan '}
            <bdi>{plan.name}</bdi>
          </>
        }
      />
      <Figure name="At this pace" figure={figure} note={note} />
      <Figure
        name="Rate"
        figure={format(plan.requestsPerWindow)}
        note={`${plan.requestsPerWindow === 1 ? 'call' : 'calls'} in ${formatDuration(rateWindowMs)}; ${refused === 0 ? 'none' : format(refused)} refused in 24 h`}
      />
    </dl>
  );
}

function describeForecast(
  forecast: Forecast,
  { lastDay, paceOf }: { lastDay: string; paceOf: string },
): { figure: string; note: string } {
  const perDay = 'perDay' in forecast ? `${formatPace(forecast.perDay)} a day ${paceOf}` : '';
  switch (forecast.is) {
    case 'exhausted':
      return { figure: `Used up ${formatDay(dayOf(forecast.atMs))}`, note: perDay };
    case 'enough':
      return { figure: `Enough to ${lastDay}`, note: perDay };
    case 'used-up':
      return { figure: 'Used up', note: `documents are refused to ${lastDay}` };
    case 'idle':
      return { figure: `Enough to ${lastDay}`, note: `no documents ${paceOf}` };
    case 'unlimited':
      return { figure: 'Enough', note: 'the plan has no limit of documents' };
  }
}

function formatPace(perDay: number): string {
  return perDay < 10 ? perDay.toFixed(1).replace(/\.0$/, '') : format(Math.round(perDay));
}
