/** An argument of a function, as its JSON Schema describes it. */
export interface Argument {
  name: string;
  /** `string`, `boolean`, `list of strings`. */
  type: string;
  /** Values that it may have; empty: any of its type. */
  values: readonly string[];
  /** JSON of the value that it has unless given. */
  preset: string | undefined;
  description: string;
  /** JSON of a value. */
  example: string | undefined;
}

/** The schema of an argument. */
export interface Property {
  type?: string;
  enum?: readonly unknown[];
  items?: Property;
  default?: unknown;
  description?: string;
  examples?: readonly unknown[];
  writeOnly?: boolean;
  minimum?: number;
  maximum?: number;
  maxLength?: number;
}

/** Lists the arguments of an argsSchema, in its order. */
export function listArguments(argsSchema: Record<string, unknown>): Argument[] {
  return listProperties(argsSchema).map(([name, property]) => ({
    name,
    type: property.type === 'array' ? `list of ${property.items?.type ?? 'value'}s` : (property.type ?? 'any'),
    values: (property.enum ?? property.items?.enum ?? []).map(String),
    preset: toJson(property.default),
    description: property.description ?? '',
    example: toJson(property.examples?.[0]),
  }));
}

/** Lists the arguments of an argsSchema by name, in its order. */
export const listProperties = (argsSchema: Record<string, unknown>): Array<[string, Property]> =>
  Object.entries((argsSchema.properties ?? {}) as Record<string, Property>);

function toJson(value: unknown): string | undefined {
  return value === undefined ? undefined : JSON.stringify(value);
}
