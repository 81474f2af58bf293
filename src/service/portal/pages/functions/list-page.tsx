import type { OcrFunction } from '../../../../functions/function.js';
import type { Plan } from '../../../../store/plans.js';
import { type Column, DataTable } from '../../components/data-table.js';
import { EmptyState } from '../../components/empty-state.js';
import type { Frame } from '../../components/frame.js';
import { GetForm } from '../../components/get-form.js';
import { Link } from '../../components/link.js';
import { Page } from '../../components/page.js';
import { Prose } from '../../components/prose.js';
import { MEMBERS } from '../../roles.js';
import { InPlan, pageCapOf } from './in-plan.js';

/** Path of the catalogue, and of its functions. */
export const FUNCTIONS_PATH = '/functions';

interface ListProps {
  frame: Frame;
  word: string;
  functions: readonly OcrFunction[];
  plan: Plan | undefined;
}

const TRY_COLUMN: Column<OcrFunction> = {
  title: 'Try it',
  class: 'nowrap',
  cell: ({ id, title }) => (
    <Link class="button small" to={`${FUNCTIONS_PATH}/${id}/try`} label={`Try it: ${title}`}>
      Try it
    </Link>
  ),
};

/** The catalogue. */
export function ListPage({ frame, word, functions, plan }: ListProps) {
  return (
    <Page frame={frame} title="Functions">
      <Search word={word} />
      <div class="panel">
        {functions.length === 0 ? (
          <EmptyState title="No function matches">
            <p>Each word must stand in the name, the description, a type or an argument of a function.</p>
          </EmptyState>
        ) : (
          <DataTable
            caption="Functions"
            rows={functions}
            idOf={({ id }) => id}
            columns={[
              {
                title: 'Function',
                class: 'nowrap',
                cell: ({ id }) => <Link to={`${FUNCTIONS_PATH}/${id}`}>{id}</Link>,
              },
              { title: 'Short name', class: 'nowrap', cell: ({ alias }) => alias && <code>{alias}</code> },
              { title: 'Description', class: 'prose', cell: ({ description }) => <Summary text={description} /> },
              {
                title: 'Max. pages',
                class: 'number',
                cell: (entry) => pageCapOf(entry, plan).toLocaleString('en'),
              },
              { title: 'Plan', class: 'nowrap', cell: ({ id }) => <InPlan id={id} plan={plan} /> },
              ...(MEMBERS.includes(frame.role) ? [TRY_COLUMN] : []),
            ]}
          />
        )}
      </div>
    </Page>
  );
}

function Search({ word }: { word: string }) {
  return (
    <GetForm to={FUNCTIONS_PATH} class="search">
      <label for="field-word" class="hidden">
        Word
      </label>
      <input
        id="field-word"
        type="search"
        name="word"
        value={word}
        placeholder="Find by name, type or argument"
        autocomplete="off"
      />
      <button class="button" type="submit">
        Find
      </button>
      {word === '' ? null : (
        <Link class="button plain" to={FUNCTIONS_PATH}>
          Clear
        </Link>
      )}
    </GetForm>
  );
}

/** The first sentence of a description; the page of the function has the whole. */
function Summary({ text }: { text: string }) {
  return (
    <span>
      <Prose text={/^.*?[.;:](?=\s|$)/s.exec(text)?.[0].replace(/[;:]$/, '.') ?? text} />
    </span>
  );
}
