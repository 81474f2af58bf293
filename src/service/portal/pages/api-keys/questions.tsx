import { formatCount } from '../../components/format-count.js';
import type { Frame } from '../../components/frame.js';
import { Link } from '../../components/link.js';
import { Notice } from '../../components/notice.js';
import { Page } from '../../components/page.js';
import { Question } from '../../components/question.js';
import { Time } from '../../components/time.js';
import { NONCE_FIELD } from '../../doors/form-nonces.js';
import { KeyEnds, type KeyLine, nameOf } from './key-cells.js';
import { KEYS_PATH } from './list-page.js';

interface QuestionProps {
  frame: Frame;
  apiKey: KeyLine;
}

/** Asks before a key stops. */
export function RevokePage({ frame, apiKey }: QuestionProps) {
  const title = 'Revoke this key?';
  return (
    <Page frame={frame} title={title} above={{ title: 'API Keys', path: KEYS_PATH }}>
      <Question title={title} to={`${KEYS_PATH}/${apiKey.id}/revoke`} action="Revoke" back={KEYS_PATH}>
        <Use {...apiKey} />
        <p>Whatever still calls with it is refused at once. This cannot be undone.</p>
      </Question>
    </Page>
  );
}

/** Answers a change of a key that has ended. */
export function EndedKeyPage({ frame, apiKey, state }: QuestionProps & { state: 'expired' | 'revoked' }) {
  return (
    <Page frame={frame} title={`This key is ${state}`} above={{ title: 'API Keys', path: KEYS_PATH }}>
      <Notice tone="bad">
        <p>
          <bdi>{nameOf(apiKey)}</bdi> (<KeyEnds {...apiKey} />) is {state}: nothing calls with it any more.{' '}
          <Link to={`${KEYS_PATH}/new`}>Create another key</Link>.
        </p>
      </Notice>
    </Page>
  );
}

/** Asks before a key gets a successor. */
export function RollPage({ frame, apiKey, nonce }: QuestionProps & { nonce: string }) {
  const title = 'Roll this key?';
  return (
    <Page frame={frame} title={title} above={{ title: 'API Keys', path: KEYS_PATH }}>
      <Question
        title={title}
        to={`${KEYS_PATH}/${apiKey.id}/roll`}
        action="Roll"
        back={KEYS_PATH}
        hidden={{ [NONCE_FIELD]: nonce }}
      >
        <Use {...apiKey} />
        <p>
          You get a new key with the same name and functions. The old one ends in 24 hours: put the new one in its place
          until then.
        </p>
      </Question>
    </Page>
  );
}

function Use(apiKey: KeyLine) {
  const { lastUsedAtMs, calls } = apiKey;
  return (
    <p>
      <strong>
        <bdi>{nameOf(apiKey)}</bdi>
      </strong>{' '}
      (<KeyEnds {...apiKey} />){' '}
      {lastUsedAtMs === null ? (
        'was never used.'
      ) : (
        <>
          was last used <Time ms={lastUsedAtMs} />, with {formatCount(calls)} calls in 24 hours.
        </>
      )}
    </p>
  );
}
