import { listProperties, type Property } from '../functions/arguments.js';
/** A field of the form: an argument of a function, as its JSON Schema describes it. */
export interface ArgumentField {
  /** Name of the argument. */
  name: string;
  /** Name of the field. Others of the form begin differently. */
  field: string;
  label: string;
  /** JSON Schema of the argument. */
  schema: object;
  kind: 'choice' | 'switch' | 'number' | 'text' | 'list' | 'checks';
  /** True for a password, which no page shows again. */
  isSecret: boolean;
  /** The values of a choice, or of the items of a list. */
  values: readonly unknown[];
  preset: unknown;
  description: string;
  /** A value as somebody types it. */
  example: string | undefined;
  min: number | undefined;
  max: number | undefined;
  maxLength: number | undefined;
  isWhole: boolean;
  /** True for a list of numbers. */
  hasNumbers: boolean;
}

const PREFIX = 'arg-';

/** Returns the name of an argument's field. */
export function fieldOf(name: string): string {
  return PREFIX + name;
}

/** Lists the fields of an argsSchema, in its order. */
export function listFields(argsSchema: Record<string, unknown>): ArgumentField[] {
  return listProperties(argsSchema).map(([name, property]) => ({
    name,
    field: fieldOf(name),
    label: toLabel(name),
    schema: property,
    kind: kindOf(property),
    isSecret: property.writeOnly === true,
    values: property.enum ?? property.items?.enum ?? [],
    preset: property.default,
    description: property.description ?? '',
    example: property.writeOnly === true ? undefined : toTyped(property.examples?.[0]),
    min: property.minimum,
    max: property.maximum,
    maxLength: property.maxLength,
    isWhole: property.type === 'integer',
    hasNumbers: isNumber(property.items?.type),
  }));
}

function kindOf({ type, enum: values, items }: Property): ArgumentField['kind'] {
  if (values !== undefined) return 'choice';
  if (type === 'boolean') return 'switch';
  if (type === 'array') return items?.enum === undefined ? 'list' : 'checks';
  return isNumber(type) ? 'number' : 'text';
}

function isNumber(type: string | undefined): boolean {
  return type === 'number' || type === 'integer';
}

/** Renders a value as somebody types it: `deu, eng`. */
export function toTyped(value: unknown): string | undefined {
  if (value === undefined) return undefined;
  return Array.isArray(value) ? value.map(String).join(', ') : String(value);
}

/** `headersFooters` → `Headers footers`. */
function toLabel(name: string): string {
  if (name.length <= 3) return name.toUpperCase();
  const words = name.replace(/([a-z\d])([A-Z])/g, '$1 $2').toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}
