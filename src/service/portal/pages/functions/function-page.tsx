import type { OcrFunction } from '../../../../functions/function.js';
import type { Plan } from '../../../../store/plans.js';
import { CodeBlock } from '../../components/code-block.js';
import { Copyable } from '../../components/copyable.js';
import { type Column, DataTable, None } from '../../components/data-table.js';
import type { Frame } from '../../components/frame.js';
import { Link } from '../../components/link.js';
import { Page } from '../../components/page.js';
import { Prose } from '../../components/prose.js';
import { MEMBERS } from '../../roles.js';
import { type Argument, listArguments } from './arguments.js';
import { renderLines } from './example-lines.js';
import { InPlan } from './in-plan.js';
import { FunctionLimits } from './limits.js';

interface FunctionProps {
  frame: Frame;
  entry: OcrFunction;
  plan: Plan | undefined;
  maxFileBytes: number;
  origin: string;
}

/** One function: what it does, what it takes, and how to call it. */
export function FunctionPage({ frame, entry, plan, maxFileBytes, origin }: FunctionProps) {
  const { curl, extract } = renderLines(entry, origin);
  return (
    <Page
      frame={frame}
      title={entry.title}
      above={{ title: 'Functions', path: '/functions' }}
      actions={
        MEMBERS.includes(frame.role) ? (
          <Link class="button main" to={`/functions/${entry.id}/try`}>
            Try it
          </Link>
        ) : undefined
      }
    >
      <p class="subject">
        <InPlan id={entry.id} plan={plan} />
        <Copyable text={entry.id} name="function ID" />
      </p>
      <p class="lead">
        <Prose text={entry.description} />
      </p>
      <div class="columns">
        <div>
          <section class="panel section" aria-labelledby="function-call">
            <h2 id="function-call">Call it</h2>
            <div class="stack">
              <CodeBlock text={extract} name="the ocr extract line" />
              <CodeBlock text={curl} name="the curl line" />
            </div>
          </section>
          <section class="panel" aria-labelledby="function-arguments">
            <h2 class="title" id="function-arguments">
              Arguments
            </h2>
            <DataTable
              caption={`Arguments of ${entry.id}`}
              columns={ARGUMENT_COLUMNS}
              rows={listArguments(entry.argsSchema)}
              idOf={({ name }) => `argument-${name}`}
            />
          </section>
        </div>
        <section class="panel section" aria-labelledby="function-limits">
          <h2 id="function-limits">Limits</h2>
          <FunctionLimits {...{ entry, plan, maxFileBytes }} />
        </section>
      </div>
    </Page>
  );
}

const ARGUMENT_COLUMNS: ReadonlyArray<Column<Argument>> = [
  { title: 'Name', class: 'nowrap', cell: ({ name }) => <code>{name}</code> },
  { title: 'Type', class: 'nowrap', cell: ({ type }) => type },
  { title: 'Default', cell: ({ preset }) => (preset === undefined ? <None /> : <code>{preset}</code>) },
  { title: 'Description', class: 'prose', cell: (argument) => <Meaning {...argument} /> },
];

function Meaning({ type, description, values, example }: Argument) {
  return (
    <div>
      <Prose text={description} />
      {values.length === 0 ? null : (
        <p class="soft">
          {'One of '}
          {values.map((value, index) => [index === 0 ? '' : ', ', <code key={value}>{value}</code>])}
        </p>
      )}
      {example === undefined || values.length > 0 || type === 'boolean' ? null : (
        <p class="soft">
          {'Example: '}
          <code>{example}</code>
        </p>
      )}
    </div>
  );
}
