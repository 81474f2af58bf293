import { parseDurationMs } from '../../../../contract/duration.js';
import { catalog } from '../../../../functions/catalog.js';
import type { FieldError } from '../../components/fields.js';
import { errorsOfName } from '../errors-of-name.js';

/** Kinds of a key, in the order of the form. */
export const KINDS = [
  { value: 'live', label: 'Live' },
  { value: 'test', label: 'Test' },
] as const;

/** Lifetimes that the form offers. */
export const LIFETIMES = [
  { value: '', label: 'Never' },
  { value: '7d', label: 'In 7 days' },
  { value: '30d', label: 'In 30 days' },
  { value: '90d', label: 'In 90 days' },
  { value: '180d', label: 'In 180 days' },
  { value: '365d', label: 'In a year' },
] as const;

/** The form of a new key, as it was typed, with its errors. */
export interface TypedKey {
  name: string;
  kind: string;
  expires: string;
  functions: readonly string[];
  errors: readonly FieldError[];
}

export const EMPTY_KEY: TypedKey = { name: '', kind: 'live', expires: '', functions: [], errors: [] };

/** Reads the form of a new key. */
export function readNewKey(form: URLSearchParams): TypedKey {
  const typed = {
    name: form.get('name') ?? '',
    kind: form.get('kind') ?? 'live',
    expires: form.get('expires') ?? '',
    functions: form.getAll('functions'),
  };
  const errors = [
    ...errorsOfName(typed.name, 'A key’s'),
    errorUnless(isOption(KINDS, typed.kind), 'kind', 'Choose Live or Test'),
    errorUnless(isOption(LIFETIMES, typed.expires), 'expires', 'Choose one of the times'),
    errorUnless(typed.functions.every(isFunction), 'functions', 'Choose among these functions'),
  ];
  return { ...typed, errors: errors.filter((error) => error !== undefined) };
}

/** Returns the key that a form without errors describes. No function chosen: every function of the plan. */
export function describeNewKey({ name, kind, expires, functions }: TypedKey, nowMs: number) {
  const lifetimeMs = expires === '' ? undefined : parseDurationMs(expires);
  return {
    name: name.trim(),
    environment: kind === 'test' ? ('test' as const) : ('live' as const),
    ...(lifetimeMs === undefined ? {} : { expiresAtMs: nowMs + lifetimeMs }),
    ...(functions.length === 0 ? {} : { functions: [...new Set(functions)].sort() }),
  };
}

function errorUnless(isRight: boolean, field: string, message: string): FieldError | undefined {
  return isRight ? undefined : { field, message };
}

function isOption(options: ReadonlyArray<{ value: string }>, given: string): boolean {
  return options.some(({ value }) => value === given);
}

function isFunction(given: string): boolean {
  return catalog.some(({ id }) => id === given);
}
