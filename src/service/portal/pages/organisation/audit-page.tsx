import type { ComponentChildren } from 'preact';
import { AUDIT_ACTIONS, type AuditAction, type AuditPageFilter, type AuditRow } from '../../../../store/audit.js';
import type { Page as Part } from '../../../../store/page.js';
import { EmptyState } from '../../components/empty-state.js';
import { ANY, Choice, ErrorSummary, errorOf, Field, type FieldError, optionsOf } from '../../components/fields.js';
import { Filters } from '../../components/filters.js';
import type { Frame } from '../../components/frame.js';
import { ListPanel } from '../../components/list-panel.js';
import { Page } from '../../components/page.js';
import { readBefore, readOption, readTimes, readTyped } from '../read-query.js';
import { auditColumns } from './audit-table.js';

const LABELS = { action: 'Action', who: 'Who', on: 'ID', from: 'From', to: 'To' } as const;
type FilterName = keyof typeof LABELS;

export interface ReadAuditFilter {
  filter: AuditPageFilter;
  /** Values as they were typed. */
  query: Partial<Record<FilterName, string>>;
  errors: FieldError[];
}

/** Reads the filters of an address. */
export function readAuditFilter(params: URLSearchParams): ReadAuditFilter {
  const query = readTyped(params, LABELS);
  const errors: FieldError[] = [];
  const action = readOption<AuditAction>(
    { name: 'action', label: LABELS.action, options: AUDIT_ACTIONS },
    query.action,
    errors,
  );
  const times = readTimes(query, errors);
  const filter = { action, who: query.who, subjectId: query.on, ...times, before: readBefore(params, 'aud') };
  return { filter, query, errors };
}

interface AuditProps {
  frame: Frame;
  title: string;
  above?: { title: string; path: string };
  path: string;
  read: ReadAuditFilter;
  part: Part<AuditRow>;
  /** Stands above the filters. */
  children?: ComponentChildren;
}

/** The audit log, a page at a time. */
export function AuditPage({ frame, title, above, path, read, part, children }: AuditProps) {
  const { query, errors, filter } = read;
  const chips = (Object.entries(query) as Array<[FilterName, string]>).map(([name, value]) => ({
    name,
    label: LABELS[name],
    value,
  }));
  return (
    <Page frame={frame} title={title} styles={['lists.css']} {...(above === undefined ? {} : { above })}>
      {children}
      <ErrorSummary errors={errors} />
      <Filters path={path} chips={chips} query={query} isOpen={errors.length > 0}>
        <FilterFields {...read} />
      </Filters>
      <ListPanel
        caption="Changes, newest first"
        columns={auditColumns(frame.organisation !== undefined)}
        idOf={({ id }) => id}
        nouns={['change', 'changes']}
        part={part}
        path={path}
        query={query}
        isOlderPage={filter.before !== undefined}
      >
        <NoRows isFiltered={chips.length > 0} hasOlder={part.olderThan !== undefined} />
      </ListPanel>
    </Page>
  );
}

function FilterFields({ query, errors }: ReadAuditFilter) {
  const common = (name: FilterName) => {
    return { name, label: LABELS[name], value: query[name] ?? '', ...errorOf(errors, name) };
  };
  const time = { attributes: { type: 'datetime-local' as const }, hint: 'UTC' };
  return (
    <>
      <Choice {...common('action')} options={[ANY, ...optionsOf(AUDIT_ACTIONS)]} />
      <Field {...common('who')} hint="The whole name" />
      <Field
        {...common('on')}
        hint="Of the key, member, job…"
        attributes={{ spellcheck: false, autocomplete: 'off' }}
      />
      <Field {...common('from')} {...time} />
      <Field {...common('to')} {...time} />
    </>
  );
}

function NoRows({ isFiltered, hasOlder }: { isFiltered: boolean; hasOlder: boolean }) {
  const [title, text] = hasOlder
    ? ['None among these changes', 'Few changes match. Look on among older ones.']
    : isFiltered
      ? ['No change matches', 'Remove a filter above to see more.']
      : ['No changes yet', 'Each change in the portal or by the command line leaves a line here, kept for a year.'];
  return (
    <EmptyState title={title}>
      <p>{text}</p>
    </EmptyState>
  );
}
