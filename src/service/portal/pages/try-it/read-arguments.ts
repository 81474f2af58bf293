import type { ErrorObject } from 'ajv/dist/2020.js';
import { countOf } from '../../../../contract/count-of.js';
import type { OcrFunction } from '../../../../functions/function.js';
import { findError } from '../../../intake/parse-args.js';
import type { FieldError } from '../../components/fields.js';
import { type ArgumentField, listFields } from './argument-fields.js';

type Args = Record<string, unknown>;

/** The arguments of a form. */
export interface ReadArguments {
  /** Those that differ from what they are by default. */
  args: Args;
  /** The values as they were typed, by field. */
  typed: URLSearchParams;
  errors: FieldError[];
}

/** Reads the arguments of a form; each that is refused is an error of its field. */
export function readArguments(target: OcrFunction, form: URLSearchParams): ReadArguments {
  const args: Args = {};
  const typed = new URLSearchParams();
  const errors: FieldError[] = [];
  for (const field of listFields(target.argsSchema)) {
    const values = form.getAll(field.field);
    for (const value of values) typed.append(field.field, value);
    const value = readValue(field, values);
    if (value === undefined || JSON.stringify(value) === JSON.stringify(field.preset)) continue;
    const error = findError(field.schema, value);
    if (error === undefined) args[field.name] = value;
    else errors.push({ field: field.field, message: explain(field, error) });
  }
  return { args, typed, errors };
}

/** Returns the value that was typed; undefined where there is none, and for a box in its usual state. */
function readValue(field: ArgumentField, values: readonly string[]): unknown {
  const text = values[0]?.trim() ?? '';
  switch (field.kind) {
    case 'switch': {
      const isOn = text === 'true';
      return isOn === (field.preset ?? false) ? undefined : isOn;
    }
    case 'checks':
      return values.length === 0 ? undefined : values.map((value) => toOption(field, value));
    case 'list': {
      const items = text.split(/[,\n]/).map((item) => item.trim());
      const given = items.filter((item) => item !== '');
      return given.length === 0 ? undefined : given.map((item) => (field.hasNumbers ? toNumber(item) : item));
    }
    case 'number':
      return text === '' ? undefined : toNumber(text);
    case 'choice':
      return text === '' ? undefined : toOption(field, text);
    case 'text':
      // The spaces of a password count.
      return text === '' ? undefined : field.isSecret ? values[0] : text;
  }
}

/** A text that is no number stays one, and is refused as such. */
function toNumber(text: string): number | string {
  const value = Number(text);
  return Number.isFinite(value) ? value : text;
}

function toOption({ values }: ArgumentField, typed: string): unknown {
  return values.find((value) => String(value) === typed) ?? typed;
}

function explain(field: ArgumentField, { keyword, params, message = 'is refused' }: ErrorObject): string {
  const { label, example } = field;
  const such = example === undefined ? '' : `, such as ${example}`;
  switch (keyword) {
    case 'enum':
    case 'type':
      if (field.values.length > 0) return `${label} is one of: ${field.values.map(String).join(', ')}`;
      return `${label} is ${params.type === 'integer' ? 'a whole number' : `a ${String(params.type)}`}${such}`;
    case 'pattern':
      return example === undefined ? `${label} is not written as it should be` : `Write ${label} like ${example}`;
    case 'minimum':
    case 'maximum':
      return `${label} is at ${keyword === 'minimum' ? 'least' : 'most'} ${params.limit}`;
    case 'minItems':
    case 'maxItems':
      return `${label} has at ${keyword === 'minItems' ? 'least' : 'most'} ${countOf(params.limit, 'value')}`;
    case 'maxLength':
      return `${label} has at most ${countOf(params.limit, 'character')}`;
    case 'uniqueItems':
      return `${label} names a value twice`;
    default:
      return `${label} ${message}`;
  }
}
