import type { ComponentChild } from 'preact';
import { catalog } from '../../../../functions/catalog.js';
import type { Organisation } from '../../../../store/organisations.js';
import { type Period, stateOf } from '../../../intake/subscription.js';
import { Figure, Meter } from '../../components/figure.js';
import { Link } from '../../components/link.js';
import { formatDuration } from '../../components/time.js';
import { dayOf, formatDay } from '../overview/days.js';

interface PlanProps {
  organisation: Organisation;
  used: number;
  period: Period;
  rateWindowMs: number;
  nowMs: number;
}

const format = (n: number) => n.toLocaleString('en');

/** The plan with its limits, and what is used of it. */
export function PlanPart({ organisation, used, period, rateWindowMs, nowMs }: PlanProps) {
  const { limits, trialEndsAtMs } = organisation;
  const { documentsPerPeriod: limit, functions, pageCap, requestsPerWindow, hasWebhooks, weight, own = [] } = limits;
  const state = stateOf(organisation, nowMs);
  const lastDay = formatDay(dayOf(period.endsAtMs - 1));
  const isTrial = state === 'trialing' && trialEndsAtMs !== null;
  const noteFor = (name: (typeof own)[number], note: ComponentChild) =>
    own.includes(name) ? <>{note}, its own limit</> : note;
  return (
    <dl class="figures panel" aria-label="Plan">
      <Figure
        name="Plan"
        figure={<bdi>{limits.name}</bdi>}
        note={isTrial ? `trial to ${formatDay(dayOf(trialEndsAtMs - 1))}` : state}
      />
      <Figure
        name="Documents"
        figure={format(used)}
        note={noteFor(
          'documentsPerPeriod',
          limit === undefined ? `no limit, to ${lastDay}` : `of ${format(limit)} to ${lastDay}`,
        )}
      >
        {limit === undefined || limit === 0 ? null : <Meter share={used / limit} />}
      </Figure>
      <Figure
        name="Rate"
        figure={format(requestsPerWindow)}
        note={noteFor(
          'requestsPerWindow',
          `${requestsPerWindow === 1 ? 'call' : 'calls'} in ${formatDuration(rateWindowMs)}`,
        )}
      />
      <Figure
        name="Pages"
        figure={pageCap === undefined ? 'No limit' : format(pageCap)}
        note={noteFor('pageCap', 'a document')}
      />
      <Figure
        name="Functions"
        figure={
          <Link to="/functions">
            {functions === undefined ? `All ${catalog.length}` : `${functions.length} of ${catalog.length}`}
          </Link>
        }
        note={noteFor('functions', hasWebhooks ? 'with webhooks' : 'without webhooks')}
      />
      <Figure name="Weight" figure={format(weight)} note="share of workers that are all taken" />
    </dl>
  );
}
