import type { OrganisationView } from '../../../service/administration/organisations.js';

type Limits = OrganisationView['limits'];

const DESCRIPTIONS: Record<OrganisationView['ownLimits'][number], (limits: Limits) => string> = {
  documentsPerPeriod: ({ documentsPerPeriod }) => `${documentsPerPeriod ?? 'unlimited'} documents a period`,
  requestsPerWindow: ({ requestsPerWindow }) => `${requestsPerWindow} requests a window`,
  pageCap: ({ pageCap }) => (pageCap === null ? 'no page cap' : `${pageCap} pages at most`),
  functions: ({ functions }) => functions?.join(', ') ?? 'every function',
  webhooks: ({ webhooks }) => (webhooks ? 'webhooks' : 'no webhooks'),
};

/** Names the limits of an organisation that are not its plan's, with their values; empty where there are none. */
export function describeOwnLimits({ limits, ownLimits }: Pick<OrganisationView, 'limits' | 'ownLimits'>): string {
  return ownLimits.map((name) => DESCRIPTIONS[name](limits)).join(', ');
}
