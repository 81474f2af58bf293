import type { Cell } from '../../io/output/table.js';

type Json = Record<string, unknown>;

export const ARGUMENT_COLUMNS = ['Argument', 'Type', 'Default', 'Example', 'What it does'];

/** Returns the row of an argument: name, type with allowed values, default, an example as typed, description. */
export function describeArgument(name: string, property: unknown, isRequired: boolean): Cell[] {
  const schema = toSchema(property);
  const notes = [schema.description, isRequired ? '(required)' : '', schema.deprecated === true ? '(deprecated)' : ''];
  return [
    name,
    describeType(schema),
    schema.default === undefined ? '' : toTyped(schema.default),
    describeExample(name, schema),
    { prose: notes.filter((note) => typeof note === 'string' && note !== '').join(' ') },
  ];
}

export const RESULT_COLUMNS = ['Result', 'Type', 'What it is'];

/** Returns the row of a property of the result: name, type, description. */
export function describeResult(name: string, property: unknown): Cell[] {
  const schema = toSchema(property);
  return [name, describeType(schema), { prose: typeof schema.description === 'string' ? schema.description : '' }];
}

function describeType(schema: Json): string {
  if (schema.writeOnly === true) return 'secret';
  if (Array.isArray(schema.enum)) return schema.enum.map(toTyped).join(' | ');
  if (schema.const !== undefined) return toTyped(schema.const);
  const alternatives = [schema.anyOf, schema.oneOf].find(Array.isArray) as unknown[] | undefined;
  if (alternatives !== undefined && schema.type === undefined) {
    return [...new Set(alternatives.map((item) => describeType(toSchema(item))))].join(' | ');
  }
  return [schema.type ?? 'any']
    .flat()
    .map((type) => describeOne(String(type), schema))
    .join(' | ');
}

function describeOne(type: string, schema: Json): string {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum } = schema;
  switch (type) {
    case 'array':
      return `list of ${describeType(toSchema(schema.items))}`;
    case 'integer':
    case 'number': {
      const name = type === 'integer' ? 'whole number' : 'number';
      const limits = [
        ...limit('≥', minimum),
        ...limit('>', exclusiveMinimum),
        ...limit('≤', maximum),
        ...limit('<', exclusiveMaximum),
      ];
      return [name, ...limits].join(' ');
    }
    case 'boolean':
      return 'true | false';
    case 'string':
      return 'text';
    default:
      return type;
  }
}

function limit(sign: string, value: unknown): string[] {
  return typeof value === 'number' ? [`${sign} ${value}`] : [];
}

/** Renders an example as it is typed on the command line. */
function describeExample(name: string, schema: Json): string {
  if (schema.writeOnly === true) return `-a ${name}`;
  const examples = Array.isArray(schema.examples) ? schema.examples : [schema.example];
  const [example] = examples as unknown[];
  if (example === undefined) return '';
  const text = toTyped(example);
  return `-a ${name}=${/^[\w.,:/@%+=-]*$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`}`;
}

function toTyped(value: unknown): string {
  if (typeof value === 'string') return value;
  const isList = Array.isArray(value) && value.every((item) => typeof item === 'string' && !item.includes(','));
  return isList ? value.join(',') : JSON.stringify(value);
}

function toSchema(value: unknown): Json {
  return typeof value === 'object' && value !== null ? (value as Json) : {};
}
