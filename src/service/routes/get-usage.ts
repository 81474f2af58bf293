import type { FastifyInstance } from 'fastify';
import type { UsageBody } from '../../contract/envelopes.js';
import { formatTime } from '../../contract/time.js';
import { findOrganisation } from '../../store/organisations.js';
import { findUsage } from '../../store/usage.js';
import { callOf } from '../http/call-record.js';
import { answerJson, sendAnswer } from '../http/send-answer.js';
import { authenticate } from '../intake/admission.js';
import { periodOf, stateOf } from '../intake/subscription.js';
import type { ServiceComponents } from '../service-components.js';

/**
 * `GET /v1/ocr/usage`: the caller's plan and what is used of it, an addition that the catalog announces. A subscription that
 * has ended is no reason for a refusal: the answer says so.
 */
export function registerGetUsage(app: FastifyInstance, components: ServiceComponents): void {
  const { store, config } = components;
  app.get('/v1/ocr/usage', async (request, reply) => {
    const caller = await authenticate(components, request.raw.headers);
    callOf(request).caller = caller;
    const { organisationId: id, plan } = caller;
    const nowMs = Date.now();
    const { name: period, startsAtMs, endsAtMs } = periodOf(caller, nowMs);
    const [organisation, used] = await Promise.all([findOrganisation(store, id), findUsage(store, id, period)]);
    const limit = plan.documentsPerPeriod ?? null;
    const body: UsageBody = {
      organisation: { id, name: organisation?.name ?? '' },
      plan: plan.name,
      subscription: stateOf(caller, nowMs),
      period: { start: formatTime(startsAtMs), end: formatTime(endsAtMs) },
      documents: { used, limit, left: limit === null ? null : Math.max(0, limit - used) },
      rate: { limit: plan.requestsPerWindow, windowMs: config.rateWindowMs },
    };
    return sendAnswer(request, reply, answerJson(200, body, request.id));
  });
}
