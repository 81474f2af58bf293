import type { FastifyInstance } from 'fastify';
import type { UsageBody } from '../../contract/envelopes.js';
import { formatTime } from '../../contract/time.js';
import type { Access } from '../../store/access.js';
import { findNames } from '../../store/names.js';
import { findUsage } from '../../store/usage.js';
import { callOf } from '../http/call-record.js';
import { answerJson, sendAnswer } from '../http/send-answer.js';
import { authenticateReader } from '../intake/admission.js';
import { monthOf, type Period, periodOf, stateOf } from '../intake/subscription.js';
import type { ServiceComponents } from '../service-components.js';

/**
 * `GET /v1/ocr/usage`: the caller's plan and what is used of it, an addition that the catalog announces. A subscription that
 * has ended is no reason for a refusal: the answer says so. A support key has no plan and may send no documents.
 */
export function registerGetUsage(app: FastifyInstance, components: ServiceComponents): void {
  app.get('/v1/ocr/usage', async (request, reply) => {
    const caller = await authenticateReader(components, request.raw.headers);
    callOf(request).caller = caller;
    const nowMs = components.store.clock.now();
    const body =
      caller.organisationId === undefined
        ? describeSupport(components, nowMs)
        : await describeUsage(components, caller, nowMs);
    return sendAnswer(request, reply, answerJson(200, body, request.id));
  });
}

async function describeUsage({ store, config }: ServiceComponents, caller: Access, nowMs: number): Promise<UsageBody> {
  const { organisationId: id, plan } = caller;
  const period = periodOf(caller, nowMs);
  const used = await findUsage(store, id, period.name);
  const limit = plan.documentsPerPeriod ?? null;
  return {
    organisation: { id, name: (await findNames(store, [id])).organisation(id) ?? '' },
    plan: plan.name,
    subscription: stateOf(caller, nowMs),
    period: describePeriod(period),
    documents: { used, limit, left: limit === null ? null : Math.max(0, limit - used) },
    rate: { limit: plan.requestsPerWindow, windowMs: config.rateWindowMs },
  };
}

function describeSupport({ config }: ServiceComponents, nowMs: number): UsageBody {
  return {
    organisation: null,
    plan: null,
    subscription: null,
    period: describePeriod(monthOf(nowMs)),
    documents: { used: 0, limit: 0, left: 0 },
    rate: { limit: null, windowMs: config.rateWindowMs },
  };
}

function describePeriod({ startsAtMs, endsAtMs }: Period): UsageBody['period'] {
  return { start: formatTime(startsAtMs), end: formatTime(endsAtMs) };
}
