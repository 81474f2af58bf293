import { OcrError } from '../../contract/ocr-error.js';

type Json = Record<string, unknown>;

/** A `key=value` from the command line; without a value the command asks for it. */
export interface Assignment {
  name: string;
  value: string | undefined;
}

export function parseAssignment(text: string): Assignment {
  const at = text.indexOf('=');
  if (at === 0 || text === '') throw new OcrError('USAGE', `An argument must have the form key=value, not "${text}"`);
  return at === -1 ? { name: text, value: undefined } : { name: text.slice(0, at), value: text.slice(at + 1) };
}

/** True when an argument is a secret: its schema says so, or it is called `password`. */
export function isSecretArgument(name: string, schema: Json | undefined): boolean {
  return name === 'password' || propertyOf(name, schema)?.writeOnly === true;
}

/** Returns the arguments with null for each secret: only these may be stored. */
export function withoutSecrets(args: Json, schema: Json | undefined): Json {
  return Object.fromEntries(
    Object.entries(args).map(([name, value]) => [name, isSecretArgument(name, schema) ? null : value]),
  );
}

/** Converts a typed text to the schema's type; without a schema, JSON is parsed and anything else is text. @throws OcrError USAGE */
export function typeValue(name: string, text: string, schema: Json | undefined): unknown {
  const property = propertyOf(name, schema);
  return property === undefined ? jsonOrText(text) : typeAs(name, text, property);
}

function typeAs(name: string, text: string, property: Json): unknown {
  const types = [property.type].flat();
  if (types.includes('integer') || types.includes('number')) {
    const value = Number(text);
    const isValid = text.trim() !== '' && (types.includes('number') ? Number.isFinite(value) : Number.isInteger(value));
    if (isValid) return value;
    if (types.length === 1) throw wrong(name, text, types.includes('number') ? 'a number' : 'a whole number');
  }
  if (types.includes('boolean')) {
    if (text === 'true' || text === 'false') return text === 'true';
    if (types.length === 1) throw wrong(name, text, 'true or false');
  }
  if (types.includes('array')) {
    if (text.trimStart().startsWith('[')) return parseJson(name, text);
    const items = (property.items ?? {}) as Json;
    if (!types.includes('string')) return text === '' ? [] : text.split(',').map((item) => typeAs(name, item, items));
  }
  if (types.includes('object') && text.trimStart().startsWith('{')) return parseJson(name, text);
  if (property.type === undefined) return jsonOrText(text);
  if (types.includes('string')) return text;
  throw wrong(name, text, `of type ${types.join(' or ')}`);
}

export function hasArgument(name: string, schema: Json | undefined): boolean {
  return propertyOf(name, schema) !== undefined;
}

export function takesList(name: string, schema: Json | undefined): boolean {
  return [propertyOf(name, schema)?.type].flat().includes('array');
}

/** The description of an argument; undefined for one that the schema does not name. */
export function propertyOf(name: string, schema: Json | undefined): Json | undefined {
  const properties = schema?.properties;
  if (typeof properties !== 'object' || properties === null || !Object.hasOwn(properties, name)) return undefined;
  const property = (properties as Json)[name];
  return typeof property === 'object' && property !== null ? (property as Json) : undefined;
}

function jsonOrText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function parseJson(name: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new OcrError('USAGE', `${name} is not valid JSON: ${(error as Error).message}`);
  }
}

function wrong(name: string, text: string, expected: string): OcrError {
  return new OcrError('USAGE', `${name} must be ${expected}, not "${text}"`);
}
