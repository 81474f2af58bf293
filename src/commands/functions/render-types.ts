type Json = Record<string, unknown>;

export interface FunctionToRender {
  id: string;
  description: string | undefined;
  argsSchema: Json | undefined;
}

/** Bounds the nesting of schemas: a $ref may point at its own parent. */
const MAX_DEPTH = 24;
const IDENTIFIER = /^[A-Za-z_$][\w$]*$/;
const PRIMITIVES: Record<string, string> = {
  string: 'string',
  integer: 'number',
  number: 'number',
  boolean: 'boolean',
  null: 'null',
};

/**
 * Renders TypeScript for the arguments of a catalog's functions: one exported type each, and a map from function id to
 * type. It knows the keywords of JSON Schema for structure. TypeScript cannot express others (lengths, patterns); a schema
 * that it cannot express at all is `unknown`.
 */
export function renderTypes(functions: readonly FunctionToRender[]): string {
  const names = new Set(['FunctionArgs', 'FunctionId']);
  const declarations: string[] = [];
  const members: string[] = [];
  for (const { id, description, argsSchema } of functions) {
    const name = freeName(typeName(id), names);
    const type = argsSchema === undefined ? 'Record<string, unknown>' : renderSchema(argsSchema, argsSchema, 0, 0);
    const comment = renderComment([description === undefined ? `Arguments of ${id}.` : description], 0);
    declarations.push(`${comment}export type ${name} = ${type};\n`);
    members.push(`  ${propertyName(id)}: ${name};\n`);
  }
  return [
    '// The arguments of the functions of an OCR service, made by: ocr functions types\n',
    ...declarations,
    `/** The type of each function's arguments, by its id. */\nexport interface FunctionArgs {\n${members.join('')}}\n`,
    'export type FunctionId = keyof FunctionArgs;\n',
  ].join('\n');
}

function renderSchema(value: unknown, root: Json, indent: number, depth: number): string {
  if (value === true || value === undefined) return 'unknown';
  if (value === false) return 'never';
  if (typeof value !== 'object' || value === null || Array.isArray(value) || depth > MAX_DEPTH) return 'unknown';
  const schema = value as Json;
  const render = (inner: unknown) => renderSchema(inner, root, indent, depth + 1);
  const parts: string[] = [];
  if (typeof schema.$ref === 'string') parts.push(render(resolve(schema.$ref, root)));
  if (schema.const !== undefined) parts.push(renderLiteral(schema.const));
  else if (Array.isArray(schema.enum)) parts.push(union(schema.enum.map(renderLiteral)));
  else parts.push(renderTyped(schema, root, indent, depth));
  for (const alternatives of [schema.anyOf, schema.oneOf]) {
    if (Array.isArray(alternatives)) parts.push(union(alternatives.map(render)));
  }
  if (Array.isArray(schema.allOf)) parts.push(...schema.allOf.map(render));
  const known = [...new Set(parts)].filter((part) => part !== 'unknown');
  return known.length === 0 ? 'unknown' : known.length === 1 ? (known[0] ?? 'unknown') : known.map(group).join(' & ');
}

function renderTyped(schema: Json, root: Json, indent: number, depth: number): string {
  const types = schema.type === undefined ? guessTypes(schema) : [schema.type].flat();
  return union(
    types.map((type) => {
      if (type === 'object') return renderObject(schema, root, indent, depth);
      if (type === 'array') return renderArray(schema, root, indent, depth);
      return PRIMITIVES[String(type)] ?? 'unknown';
    }),
  );
}

/** Guesses the type of a schema without `type` from its keywords. */
function guessTypes(schema: Json): string[] {
  if (typeof schema.properties === 'object') return ['object'];
  return schema.items !== undefined || schema.prefixItems !== undefined ? ['array'] : ['unknown'];
}

function renderObject(schema: Json, root: Json, indent: number, depth: number): string {
  const { additionalProperties: more } = schema;
  const properties = Object.entries((schema.properties ?? {}) as Json);
  const required = Array.isArray(schema.required) ? schema.required : [];
  if (properties.length === 0) {
    return `Record<string, ${more === false ? 'never' : renderSchema(more, root, indent, depth + 1)}>`;
  }
  const inner = indent + 2;
  const lines = properties.map(([name, property]) => {
    const mark = required.includes(name) ? '' : '?';
    const comment = renderComment(describe(property), inner);
    return `${comment}${' '.repeat(inner)}${propertyName(name)}${mark}: ${renderSchema(property, root, inner, depth + 1)};\n`;
  });
  // An index signature covers the named properties too, so a narrower type would be wrong.
  if (more !== undefined && more !== false) lines.push(`${' '.repeat(inner)}[name: string]: unknown;\n`);
  return `{\n${lines.join('')}${' '.repeat(indent)}}`;
}

function renderArray(schema: Json, root: Json, indent: number, depth: number): string {
  const render = (inner: unknown) => renderSchema(inner, root, indent, depth + 1);
  // Drafts before 2020-12 wrote prefixItems as `items` with a list.
  const prefix = [schema.prefixItems, schema.items].find(Array.isArray) as unknown[] | undefined;
  if (prefix === undefined) return `Array<${render(schema.items)}>`;
  const rest = Array.isArray(schema.items) ? schema.additionalItems : schema.items;
  const minItems = typeof schema.minItems === 'number' ? schema.minItems : 0;
  const items = prefix.map((item, i) => (i < minItems ? render(item) : `(${render(item)})?`));
  return `[${[...items, ...(rest === false ? [] : [`...Array<${render(rest)}>`])].join(', ')}]`;
}

/** Follows a pointer into the schema itself; other documents are not fetched. */
function resolve(ref: string, root: Json): unknown {
  if (!ref.startsWith('#')) return undefined;
  let found: unknown = root;
  for (const segment of ref.slice(1).split('/').slice(1)) {
    const name = segment.replaceAll('~1', '/').replaceAll('~0', '~');
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, name)) return undefined;
    found = (found as Json)[name];
  }
  return found;
}

function renderLiteral(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(renderLiteral).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  return `{ ${Object.entries(value)
    .map(([name, item]) => `${propertyName(name)}: ${renderLiteral(item)}`)
    .join('; ')} }`;
}

function union(parts: readonly string[]): string {
  const different = [...new Set(parts)];
  if (different.length === 0) return 'never';
  return different.includes('unknown')
    ? 'unknown'
    : different.map((part) => (different.length > 1 ? group(part) : part)).join(' | ');
}

/** Puts `a | b` in brackets, for use inside `… & c`. */
function group(part: string): string {
  return / [|&] /.test(part) && !part.startsWith('(') ? `(${part})` : part;
}

function describe(property: unknown): string[] {
  if (typeof property !== 'object' || property === null) return [];
  const { description, default: initial, examples, deprecated } = property as Json;
  return [
    ...(typeof description === 'string' ? [description] : []),
    ...(deprecated === true ? ['@deprecated'] : []),
    ...(initial === undefined ? [] : [`@default ${JSON.stringify(initial)}`]),
    ...(Array.isArray(examples) && examples.length > 0 ? [`@example ${JSON.stringify(examples[0])}`] : []),
  ];
}

function renderComment(lines: readonly string[], indent: number): string {
  const safe = lines
    .flatMap((line) => line.replaceAll('*/', '*\\/').split(/[\r\n\u2028\u2029]+/))
    .filter((line) => line.trim() !== '');
  if (safe.length === 0) return '';
  const space = ' '.repeat(indent);
  if (safe.length === 1) return `${space}/** ${safe[0]} */\n`;
  return `${space}/**\n${safe.map((line) => `${space} * ${line}\n`).join('')}${space} */\n`;
}

function propertyName(name: string): string {
  return IDENTIFIER.test(name) ? name : JSON.stringify(name);
}

/** TEXT_EXTRACTION → TextExtractionArgs */
function typeName(id: string): string {
  const words = id.split(/[^A-Za-z0-9]+/).filter((word) => word !== '');
  const name = words.map((word) => `${word.charAt(0).toUpperCase()}${word.slice(1).toLowerCase()}`).join('');
  return `${/^[A-Za-z]/.test(name) ? '' : 'F'}${name}Args`;
}

function freeName(name: string, taken: Set<string>): string {
  let free = name;
  for (let n = 2; taken.has(free); n++) free = `${name}${n}`;
  taken.add(free);
  return free;
}
