import type { Page as Part } from '../../../../store/page.js';
import { stateOfKey } from '../../../administration/keys.js';
import { CodeBlock } from '../../components/code-block.js';
import { Cut } from '../../components/cut.js';
import { type Column, None } from '../../components/data-table.js';
import { EmptyState } from '../../components/empty-state.js';
import { Choice, ErrorSummary, type FieldError } from '../../components/fields.js';
import { Filters } from '../../components/filters.js';
import { formatCount } from '../../components/format-count.js';
import { type Frame, useFrame } from '../../components/frame.js';
import { Link } from '../../components/link.js';
import { ListPanel } from '../../components/list-panel.js';
import { Page } from '../../components/page.js';
import { timeOr } from '../../components/time.js';
import { OWNERS } from '../../roles.js';
import { KeyEnds, KeyFunctions, type KeyLine, KeyState, nameOf } from './key-cells.js';

export const KEYS_PATH = '/api-keys';
export const KEY_STATES = ['active', 'expired', 'revoked'] as const;

interface ListProps {
  frame: Frame;
  part: Part<KeyLine>;
  query: { state?: string };
  errors: readonly FieldError[];
  isOlderPage: boolean;
  nowMs: number;
  /** A call with a key. */
  example: string;
}

/** The list of keys. */
export function ListPage({ frame, part, query, errors, isOlderPage, nowMs, example }: ListProps) {
  const chips = query.state === undefined ? [] : [{ name: 'state', label: 'State', value: query.state }];
  const isOwner = OWNERS.includes(frame.role);
  const create = isOwner ? (
    <Link class="button main" to={`${KEYS_PATH}/new`}>
      Create key
    </Link>
  ) : null;
  return (
    <Page frame={frame} title="API Keys" styles={['lists.css']} actions={create}>
      <ErrorSummary errors={errors} />
      <Filters path={KEYS_PATH} chips={chips} query={query} isOpen={errors.length > 0}>
        <Choice
          name="state"
          label="State"
          value={query.state ?? ''}
          options={[{ value: '', label: 'Any' }, ...KEY_STATES.map((value) => ({ value, label: value }))]}
          {...(errors[0] === undefined ? {} : { error: errors[0].message })}
        />
      </Filters>
      <ListPanel
        caption="API keys, newest first"
        columns={columnsFor(isOwner, nowMs)}
        idOf={({ id }) => id}
        nouns={['key', 'keys']}
        part={part}
        path={KEYS_PATH}
        query={query}
        isOlderPage={isOlderPage}
      >
        <NoRows isFiltered={query.state !== undefined} hasOlder={part.olderThan !== undefined} example={example} />
      </ListPanel>
    </Page>
  );
}

function columnsFor(isOwner: boolean, nowMs: number): ReadonlyArray<Column<KeyLine>> {
  const columns: ReadonlyArray<Column<KeyLine>> = [
    {
      title: 'Name',
      cell: (key) => (
        <Link to={`${KEYS_PATH}/${key.id}`}>
          <Cut text={nameOf(key)} />
        </Link>
      ),
    },
    { title: 'Key', class: 'nowrap', cell: KeyEnds },
    { title: 'State', class: 'state', cell: (key) => <KeyState apiKey={key} nowMs={nowMs} /> },
    { title: 'Functions', cell: KeyFunctions },
    { title: 'Made by', cell: ({ madeBy }) => (madeBy === null ? <None /> : <bdi>{madeBy}</bdi>) },
    { title: 'Expires', class: 'nowrap', cell: ({ expiresAtMs }) => timeOr(expiresAtMs, 'never') },
    { title: 'Last used', class: 'nowrap', cell: ({ lastUsedAtMs }) => timeOr(lastUsedAtMs, 'never') },
    { title: 'Calls, 24 h', class: 'number', cell: ({ calls }) => formatCount(calls) },
  ];
  const actions = (key: KeyLine) => <KeyActions apiKey={key} nowMs={nowMs} />;
  return isOwner ? [...columns, { title: 'Actions', class: 'end', cell: actions }] : columns;
}

/** Links to the changes of a key: one that has expired gets no successor, and a revoked one stays as it is. */
export function KeyActions({ apiKey, nowMs }: { apiKey: KeyLine; nowMs: number }) {
  const state = stateOfKey(apiKey, nowMs);
  if (state === 'revoked') return <None />;
  const path = `${KEYS_PATH}/${apiKey.id}`;
  const label = `${nameOf(apiKey)} …${apiKey.lastFour}`;
  return (
    <span class="row-actions">
      {state === 'active' ? (
        <Link class="button small" to={`${path}/roll`} label={`Roll ${label}`} asks>
          Roll
        </Link>
      ) : null}
      <Link class="button small" to={`${path}/revoke`} label={`Revoke ${label}`} asks>
        Revoke
      </Link>
    </span>
  );
}

function NoRows({ isFiltered, hasOlder, example }: { isFiltered: boolean; hasOlder: boolean; example: string }) {
  const isOwner = OWNERS.includes(useFrame().role);
  if (hasOlder)
    return (
      <EmptyState title="None among these keys">
        <p>Few keys match. Look on among older ones.</p>
      </EmptyState>
    );
  if (isFiltered)
    return (
      <EmptyState title="No key matches">
        <p>Remove the filter above to see more.</p>
      </EmptyState>
    );
  return (
    <EmptyState title="No keys yet">
      <p>
        {isOwner
          ? 'Create a key, and send a document with it.'
          : 'An owner of the organisation creates keys. With one, send a document.'}
      </p>
      <CodeBlock text={example} name="example" />
    </EmptyState>
  );
}
