import { Copyable } from '../../components/copyable.js';
import { Facts } from '../../components/facts.js';
import type { Frame } from '../../components/frame.js';
import { Link } from '../../components/link.js';
import { Page } from '../../components/page.js';
import { Time } from '../../components/time.js';
import type { EndpointLine } from '../../scoped/webhooks.js';
import { Answer, EndpointActions, Events, WEBHOOKS_PATH } from './cells.js';

/** One endpoint. */
export function EndpointPage({ frame, endpoint, nowMs }: { frame: Frame; endpoint: EndpointLine; nowMs: number }) {
  const { id, url, health, createdAtMs, previousSecretUntilMs } = endpoint;
  const isRotating = previousSecretUntilMs !== null && previousSecretUntilMs > nowMs;
  return (
    <Page
      frame={frame}
      title="Endpoint"
      above={{ title: 'Webhooks', path: WEBHOOKS_PATH }}
      actions={<EndpointActions {...endpoint} />}
    >
      <section class="panel section" aria-label="Endpoint">
        <Facts
          facts={[
            ['URL', <Copyable key="url" text={url} name="URL" />],
            ['Endpoint ID', <Copyable key="id" text={id} name="endpoint ID" />],
            ['Events', <Events key="events" {...endpoint} />],
            ['Made', <Time key="made" ms={createdAtMs} />],
            ['Old secret ends', isRotating ? <Time ms={previousSecretUntilMs} /> : null],
            ['In 24 hours', `${health.delivered} delivered, ${health.pending} pending, ${health.dead} dead`],
            ['Failing since', health.failingSinceMs === undefined ? null : <Time ms={health.failingSinceMs} />],
            ['Last answer', health.lastAttempt === undefined ? null : <Answer {...health.lastAttempt} />],
            [
              'Deliveries',
              <Link key="deliveries" to={WEBHOOKS_PATH} query={{ endpoint: id }}>
                See them
              </Link>,
            ],
          ]}
        />
      </section>
    </Page>
  );
}
