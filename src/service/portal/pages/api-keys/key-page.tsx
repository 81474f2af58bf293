import { Copyable } from '../../components/copyable.js';
import { Facts } from '../../components/facts.js';
import { formatCount } from '../../components/format-count.js';
import type { Frame } from '../../components/frame.js';
import { Link } from '../../components/link.js';
import { Page } from '../../components/page.js';
import { Time, timeOr } from '../../components/time.js';
import { OWNERS } from '../../roles.js';
import { KeyEnds, KeyFunctions, type KeyLine, KeyState, nameOf } from './key-cells.js';
import { KEYS_PATH, KeyActions } from './list-page.js';

/** One key. */
export function KeyPage({ frame, apiKey, nowMs }: { frame: Frame; apiKey: KeyLine; nowMs: number }) {
  const { id, revokedAtMs, expiresAtMs } = apiKey;
  const isOwner = OWNERS.includes(frame.role) && revokedAtMs === null;
  return (
    <Page
      frame={frame}
      title={nameOf(apiKey)}
      above={{ title: 'API Keys', path: KEYS_PATH }}
      actions={isOwner ? <KeyActions apiKey={apiKey} nowMs={nowMs} /> : undefined}
    >
      <p class="subject">
        <KeyState apiKey={apiKey} nowMs={nowMs} />
        <Copyable text={id} name="key ID" />
      </p>
      <section class="panel section" aria-labelledby="key-facts">
        <h2 id="key-facts">Key</h2>
        <Facts
          facts={[
            ['Key', <KeyEnds key="ends" {...apiKey} />],
            ['Functions', <KeyFunctions key="functions" {...apiKey} />],
            ['Made', <Time key="made" ms={apiKey.createdAtMs} />],
            ['Made by', apiKey.madeBy === null ? null : <bdi>{apiKey.madeBy}</bdi>],
            ['Expires', timeOr(expiresAtMs, 'never')],
            ['Revoked', revokedAtMs === null ? null : <Time ms={revokedAtMs} />],
            ['Last used', timeOr(apiKey.lastUsedAtMs, 'never')],
            [
              'Calls in 24 h',
              <Link key="calls" to="/request-logs" query={{ key: id }}>
                {formatCount(apiKey.calls)}
              </Link>,
            ],
          ]}
        />
      </section>
    </Page>
  );
}
