import type { ComponentChildren } from 'preact';
import type { BoundedCount } from '../../../../store/bounded-count.js';
import type { Frame } from '../../components/frame.js';
import { Link } from '../../components/link.js';
import { Page } from '../../components/page.js';
import { Question } from '../../components/question.js';
import type { EndpointLine } from '../../scoped/webhooks.js';
import { WEBHOOKS_PATH } from './cells.js';

interface QuestionProps {
  frame: Frame;
  title: string;
  to: string;
  action: string;
  hidden?: Readonly<Record<string, string>>;
  children: ComponentChildren;
}

function QuestionPage({ frame, title, children, ...rest }: QuestionProps) {
  return (
    <Page frame={frame} title={title} above={{ title: 'Webhooks', path: WEBHOOKS_PATH }}>
      <Question title={title} back={WEBHOOKS_PATH} {...rest}>
        {children}
      </Question>
    </Page>
  );
}

/** Asks before an endpoint goes. */
export function RemovePage({ frame, endpoint }: { frame: Frame; endpoint: EndpointLine }) {
  const { id, url, health } = endpoint;
  return (
    <QuestionPage frame={frame} title="Remove this endpoint?" to={`${WEBHOOKS_PATH}/${id}/remove`} action="Remove">
      <p>
        <strong>
          <bdi>{url}</bdi>
        </strong>{' '}
        had {health.delivered} delivered in 24 hours, with {health.pending} pending.
      </p>
      <p>It gets nothing more, pending deliveries end, and its secret is gone. This cannot be undone.</p>
    </QuestionPage>
  );
}

/** Asks before a secret is replaced. */
export function RotatePage({ frame, endpoint }: { frame: Frame; endpoint: EndpointLine }) {
  const { id, url, secretDigest } = endpoint;
  return (
    <QuestionPage
      frame={frame}
      title="Rotate this secret?"
      to={`${WEBHOOKS_PATH}/${id}/rotate`}
      action="Rotate"
      hidden={{ secretDigest }}
    >
      <p>
        <strong>
          <bdi>{url}</bdi>
        </strong>{' '}
        gets a new secret. For 24 hours each delivery is signed with both: give the receiver the new one until then.
      </p>
    </QuestionPage>
  );
}

/** Spans of time that dead deliveries are sent again from. */
export const SPANS = [
  { name: '1h', label: 'hour', ms: 3_600_000 },
  { name: '24h', label: '24 hours', ms: 24 * 3_600_000 },
  { name: '7d', label: '7 days', ms: 7 * 24 * 3_600_000 },
] as const;

interface ResendProps {
  frame: Frame;
  span: (typeof SPANS)[number];
  sinceMs: number;
  endpointId: string | undefined;
  dead: BoundedCount;
}

/** Asks before dead deliveries are sent again. */
export function ResendDeadPage({ frame, span, sinceMs, endpointId, dead }: ResendProps) {
  const hidden = { since: String(sinceMs), ...(endpointId === undefined ? {} : { endpoint: endpointId }) };
  const path = `${WEBHOOKS_PATH}/resend-dead`;
  return (
    <QuestionPage frame={frame} title="Resend dead deliveries?" to={path} action="Resend" hidden={hidden}>
      <p>
        {dead.isAtLeast
          ? `More than 1,000 deliveries of the last ${span.label} are dead. The oldest 1,000 are sent again.`
          : `${dead.n} ${dead.n === 1 ? 'delivery' : 'deliveries'} of the last ${span.label} ${dead.n === 1 ? 'is' : 'are'} dead, of endpoints that still exist.`}
        {endpointId === undefined ? '' : ' They are those of one endpoint.'}
      </p>
      <p>
        {'Of the last '}
        {SPANS.map(({ name, label }, index) => [
          index === 0 ? '' : ', ',
          <Link key={name} to={path} query={{ since: name, endpoint: endpointId }} isCurrent={name === span.name}>
            {label}
          </Link>,
        ])}
        .
      </p>
    </QuestionPage>
  );
}
