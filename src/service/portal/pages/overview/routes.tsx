import { findOrganisation } from '../../../../store/organisations.js';
import { findUsage } from '../../../../store/usage.js';
import { periodOf, stateOf } from '../../../intake/subscription.js';
import { answerPage, type PortalAnswer, PortalNotFound } from '../../answers.js';
import { originOf, ownScopeOf, type PortalCall, type PortalRoute } from '../../portal-call.js';
import { EVERYBODY } from '../../roles.js';
import { readDays, readErrors } from '../../scoped/overview.js';
import { readEndpoints } from '../../scoped/webhooks.js';
import { answerChoice } from '../choose-organisation.js';
import { renderExample } from '../request-logs/curl.js';
import { countedOf, DAY_MS, dayOf, fillDays, formatDay } from './days.js';
import { forecast } from './forecast.js';
import { OverviewPage } from './overview-page.js';
import { readSpan } from './read-span.js';

/** Days, this one included, that the pace is taken from. */
const PACE_DAYS = 7;

export const OVERVIEW_ROUTES: readonly PortalRoute[] = [
  {
    method: 'GET',
    path: '/overview',
    roles: EVERYBODY,
    live: ['calls', 'jobs', 'deliveries', 'settings'],
    answer: answerOverview,
  },
];

async function answerOverview(call: PortalCall): Promise<PortalAnswer> {
  const { organisationId, store, components, frame } = call;
  if (organisationId === undefined) return await answerChoice(call, 'Overview');
  await components.requests.flush();
  const nowMs = store.clock.now();
  const organisation = await findOrganisation(store, organisationId);
  if (organisation === undefined) throw new PortalNotFound();
  const { limits, createdAtMs } = organisation;
  const period = periodOf(organisation, nowMs);
  const span = readSpan(call.url.searchParams, period, nowMs);
  const paceFromMs = Date.parse(dayOf(nowMs - (PACE_DAYS - 1) * DAY_MS));
  const sinceMs = nowMs - DAY_MS;
  const scope = ownScopeOf(call);
  const [days, errors, endpoints] = await Promise.all([
    readDays(scope, dayOf(Math.min(span.fromMs, paceFromMs)), dayOf(nowMs)),
    readErrors(scope, sinceMs),
    readEndpoints(scope, sinceMs),
  ]);
  const used = await findUsage(store, organisationId, period.name);
  const limit = limits.documentsPerPeriod;
  const recent = days.filter(({ day }) => day >= dayOf(paceFromMs));
  const documents = recent.reduce((sum, day) => sum + countedOf(day), 0);
  // The days before an organisation would make its pace look slow.
  const isYoung = createdAtMs > paceFromMs;
  const firstDay = recent.find((day) => countedOf(day) > 0)?.day;
  const isSinceFirst = isYoung && firstDay !== undefined;
  const elapsedMs = nowMs - (isSinceFirst ? Date.parse(firstDay) : paceFromMs);
  return answerPage(
    <OverviewPage
      frame={frame}
      plan={limits}
      state={stateOf(organisation, nowMs)}
      allowance={{ used, limit, period }}
      forecast={forecast({ used, limit, endsAtMs: period.endsAtMs }, { documents, elapsedMs }, nowMs)}
      paceOf={isSinceFirst ? `since ${formatDay(firstDay)}` : `in the last ${PACE_DAYS} days`}
      rateWindowMs={components.config.rateWindowMs}
      span={span}
      days={fillDays(days, span.fromMs, span.toMs, nowMs)}
      errors={errors}
      sinceMs={sinceMs}
      endpoints={endpoints}
      example={renderExample(originOf(call))}
    />,
  );
}
