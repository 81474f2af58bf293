import type { BoundedCount } from '../../../../store/bounded-count.js';
import type { Organisation } from '../../../../store/organisations.js';
import { type Period, stateOf } from '../../../intake/subscription.js';
import { Copyable } from '../../components/copyable.js';
import { Facts } from '../../components/facts.js';
import { formatCount } from '../../components/format-count.js';
import type { Frame } from '../../components/frame.js';
import { Link } from '../../components/link.js';
import { Page } from '../../components/page.js';
import { Time } from '../../components/time.js';
import { OPERATORS } from '../../roles.js';
import { PlanPart } from '../organisation/plan-part.js';
import { SubscriptionBadge } from './organisation-state.js';
import { OPERATOR_PATH, ORGANISATIONS_PATH } from './paths.js';

interface OrganisationProps {
  frame: Frame;
  organisation: Organisation;
  used: number;
  period: Period;
  rateWindowMs: number;
  nowMs: number;
  running: BoundedCount;
  waiting: BoundedCount;
}

/** Pages of an organisation that support and operators go to from here. */
const PAGES = [
  { title: 'Overview', path: '/overview' },
  { title: 'API Keys', path: '/api-keys' },
  { title: 'Request Logs', path: '/request-logs' },
  { title: 'Job Queues', path: '/job-queues' },
  { title: 'Webhooks', path: '/webhooks' },
  { title: 'Members and audit log', path: '/organisation' },
] as const;

/** One organisation, as the operator of the service sees it. */
export function OrganisationPage(props: OrganisationProps) {
  const { frame, organisation, nowMs, running, waiting } = props;
  const { id, name, trialEndsAtMs, createdAtMs, isLocal } = organisation;
  const state = stateOf(organisation, nowMs);
  const isOperator = OPERATORS.includes(frame.role);
  const query = { organisation: id };
  return (
    <Page
      frame={frame}
      title={name}
      styles={['figures.css']}
      above={{ title: 'Operator', path: OPERATOR_PATH }}
      actions={
        <>
          {isOperator ? (
            <Link class="button" to={`${ORGANISATIONS_PATH}/${id}/change`}>
              Change
            </Link>
          ) : null}
          <Link class="button main" to="/overview" query={query}>
            {isOperator ? 'Act for it' : 'Look at it'}
          </Link>
        </>
      }
    >
      <p class="subject">
        <SubscriptionBadge state={state} />
        <Copyable text={id} name="organisation ID" />
      </p>
      <PlanPart {...props} />
      <div class="halves">
        <section class="panel section" aria-labelledby="facts">
          <h2 id="facts">Organisation</h2>
          <Facts
            facts={[
              ['Running', formatCount(running)],
              ['Waiting', formatCount(waiting)],
              ['Created', <Time key="created" ms={createdAtMs} />],
              [
                'Trial ends',
                trialEndsAtMs === null || state !== 'trialing' ? null : <Time key="trial" ms={trialEndsAtMs} />,
              ],
              ['Used by', isLocal ? 'the commands on the service’s own machine' : null],
            ]}
          />
        </section>
        <section class="panel section" aria-labelledby="pages">
          <h2 id="pages">Its pages</h2>
          <ul class="links">
            {PAGES.map(({ title, path }) => (
              <li key={path}>
                <Link to={path} query={query}>
                  {title}
                </Link>
              </li>
            ))}
          </ul>
        </section>
      </div>
    </Page>
  );
}
