import type { Subscription } from '../../../../contract/subscription.js';
import type { Plan } from '../../../../store/plans.js';
import type { ErrorCount } from '../../../../store/request-counts.js';
import { Choices } from '../../components/choices.js';
import type { Frame } from '../../components/frame.js';
import { Notice } from '../../components/notice.js';
import { Page } from '../../components/page.js';
import type { EndpointLine } from '../../scoped/webhooks.js';
import type { ChartDay } from './days.js';
import { DaysPart } from './days-part.js';
import { EndpointsPart } from './endpoints-part.js';
import { ErrorsPart } from './errors-part.js';
import { type Allowance, Figures } from './figures.js';
import type { Forecast } from './forecast.js';
import { SPANS, type Span } from './read-span.js';

interface OverviewProps {
  frame: Frame;
  plan: Plan;
  state: Subscription;
  allowance: Allowance;
  forecast: Forecast;
  paceOf: string;
  rateWindowMs: number;
  span: Span;
  days: readonly ChartDay[];
  errors: readonly ErrorCount[];
  endpoints: readonly EndpointLine[];
  /** Beginning of the time that errors and deliveries are counted in. */
  sinceMs: number;
  /** A call of this service that a newcomer can try. */
  example: string;
}

/** The first page: what is used and left, and what goes wrong. */
export function OverviewPage(props: OverviewProps) {
  const { frame, plan, state, span, days, errors, sinceMs, endpoints, allowance, example } = props;
  const refused = errors.reduce((sum, { code, n }) => sum + (code === 'RATE_LIMITED' ? n : 0), 0);
  return (
    <Page
      frame={frame}
      title="Overview"
      styles={['figures.css', 'chart.css']}
      actions={<Choices label="Period" path="/overview" name="period" options={SPANS} current={span.value} />}
    >
      {state === 'active' || state === 'trialing' ? null : (
        <Notice tone="bad">
          <p>{`The subscription is ${state}: documents are refused with PAYMENT_REQUIRED.`}</p>
        </Notice>
      )}
      <Figures {...props} refused={refused} />
      <DaysPart days={days} span={span} allowance={allowance} example={example} />
      <div class="halves">
        <ErrorsPart errors={errors} sinceMs={sinceMs} />
        <EndpointsPart endpoints={endpoints} hasWebhooks={plan.hasWebhooks} />
      </div>
    </Page>
  );
}
