import { createRequire } from 'node:module';
import type * as AjvPackage from 'ajv/dist/2020.js';
import type { ErrorObject, ValidateFunction } from 'ajv/dist/2020.js';
import { countOf } from '../../contract/count-of.js';
import { OcrError } from '../../contract/ocr-error.js';
import { findBackwardsRange, PAGE_RANGES_PATTERN } from '../../contract/page-ranges.js';
import { suggest } from '../../contract/suggest.js';
import { isSecretArgument, propertyOf } from './arguments.js';

type Json = Record<string, unknown>;

/** Bound on one check: ours take milliseconds, a pattern of a foreign schema may take years (`^(a+)+$`). */
const MAX_CHECK_MS = 2_000;

/**
 * Refuses what the service would refuse, by the function's argsSchema. Without a schema, or with one that cannot
 * be understood or checked in time, the service decides.
 * @throws OcrError USAGE, with a suggestion where one is near
 */
export async function checkArguments(
  args: Json,
  schema: Json | undefined,
  functionId: string,
  debug: (message: string) => void,
): Promise<void> {
  if (schema === undefined || areChoices(args, schema)) return;
  let mistaken: OcrError | undefined;
  try {
    const { Ajv2020 } = loadAjv();
    mistaken = runForMs(MAX_CHECK_MS, () => findMistake(args, compile(Ajv2020, schema), schema, functionId));
  } catch (error) {
    debug(`the argsSchema of ${functionId} cannot be understood: ${(error as Error).message}`);
  }
  if (mistaken !== undefined) throw mistaken;
}

/** Keywords of an argsSchema that say nothing of an argument which `properties` describes. */
const FRAME_KEYWORDS = new Set([
  '$schema',
  '$id',
  'title',
  'description',
  'type',
  'properties',
  'additionalProperties',
]);
const CHOICE_KEYWORDS = new Set(['title', 'description', 'type', 'enum', 'default', 'examples']);

/**
 * True when each argument is a text that the schema lists, or a switch. Most calls have no others, and are sent without
 * the validator, which takes as long to load as Node does to start.
 */
function areChoices(args: Json, schema: Json): boolean {
  if (schema.type !== 'object' || !hasOnly(schema, FRAME_KEYWORDS)) return false;
  return Object.entries(args).every(([name, value]) => {
    const property = propertyOf(name, schema);
    if (property === undefined || !hasOnly(property, CHOICE_KEYWORDS) || typeof value !== property.type) return false;
    const { enum: listed } = property;
    return listed === undefined ? typeof value === 'boolean' : Array.isArray(listed) && listed.includes(value);
  });
}

const hasOnly = (schema: Json, keywords: ReadonlySet<string>): boolean =>
  Object.keys(schema).every((keyword) => keywords.has(keyword));

/**
 * Runs synchronous work, and ends it where it is after a time: V8 also interrupts a regular expression that backtracks.
 * @throws the error of the work; ERR_SCRIPT_EXECUTION_TIMEOUT
 */
function runForMs<T>(timeout: number, work: () => T): T {
  const { runInNewContext } = process.getBuiltinModule('node:vm');
  return runInNewContext('work()', { work }, { timeout }) as T;
}

/** Throws for a schema that does not compile, refers to itself without end, or has values that are no texts where it should. */
function findMistake(args: Json, validate: ValidateFunction, schema: Json, functionId: string): OcrError | undefined {
  if (validate(args)) return findBackwards(args, schema, functionId);
  const [error] = validate.errors ?? [];
  return error && explain(error, schema, functionId);
}

/** Loads the validator where there is something to check. It is required, for an import of CommonJS scans its exports. */
function loadAjv(): typeof AjvPackage {
  return createRequire(import.meta.url)('ajv/dist/2020.js') as typeof AjvPackage;
}

/** Leaves the schema itself unchecked: that takes longer than all the rest. */
function compile(Ajv2020: typeof AjvPackage.Ajv2020, schema: Json): ValidateFunction {
  const options = { strict: false, validateFormats: false, verbose: true, logger: false } as const;
  const ajv = new Ajv2020({ ...options, validateSchema: false, meta: false });
  // A schema of another draft is fine: the keywords that catalogs use mean the same. An id could only clash.
  const { $schema: _draft, $id: _id, ...plain } = schema;
  return ajv.compile(plain);
}

/** Finds ranges in `pages` that run backwards, which no pattern in a schema can express. */
function findBackwards(args: Json, schema: Json, functionId: string): OcrError | undefined {
  const pages = readPages(args, schema);
  const range = pages === undefined ? undefined : findBackwardsRange(pages);
  return range === undefined ? undefined : mistake(`pages: the range "${range}" runs backwards`, functionId);
}

/** Returns the requested page ranges where the schema has the pattern of our own functions. */
export function readPages({ pages }: Json, schema: Json | undefined): string | undefined {
  const { pages: property } = (schema?.properties ?? {}) as { pages?: Json };
  return typeof pages === 'string' && property?.pattern === PAGE_RANGES_PATTERN ? pages : undefined;
}

function explain(error: ErrorObject, schema: Json, functionId: string): OcrError {
  const { instancePath, keyword, params, message = 'is not allowed', parentSchema, data } = error;
  const path = instancePath.split('/').slice(1).map(unescapePointer);
  const name = path.join('.');
  const isSecret = path[0] !== undefined && isSecretArgument(path[0], schema);
  const not = isSecret ? '' : `, not ${shorten(JSON.stringify(data))}`;
  const properties = Object.keys((parentSchema?.properties as Json | undefined) ?? {});
  switch (keyword) {
    case 'additionalProperties':
    case 'unevaluatedProperties': {
      const given = String(params.additionalProperty ?? params.unevaluatedProperty);
      const owner = name === '' ? `${functionId} has no argument` : `${name} has no property`;
      return mistake(`${owner} "${given}"`, functionId, suggest(given, properties));
    }
    case 'required':
      return mistake(`${functionId} needs the argument ${[...path, params.missingProperty].join('.')}`, functionId);
    case 'enum': {
      const allowed = params.allowedValues.map(String);
      const near = isSecret ? undefined : suggest(String(data), allowed);
      return mistake(`${name} must be one of ${allowed.join(', ')}${not}`, functionId, near);
    }
    case 'type':
      return mistake(`${name} must be ${[params.type].flat().map(nameType).join(' or ')}${not}`, functionId);
    case 'pattern': {
      const example = (parentSchema?.examples as unknown[] | undefined)?.[0];
      const form = example === undefined ? `match ${params.pattern}` : `look like ${String(example)}`;
      return mistake(`${name} must ${form}${not}`, functionId, isSecret ? undefined : splitItem(path, data));
    }
    case 'minItems':
      return mistake(`${name} must have at least ${params.limit}${exampleOf(name, parentSchema)}`, functionId);
    case 'maxItems':
      return mistake(`${name} must have at most ${params.limit}${not}`, functionId);
    case 'minLength':
    case 'maxLength': {
      const amount = keyword === 'minLength' ? 'at least' : 'at most';
      return mistake(`${name} must have ${amount} ${countOf(Number(params.limit), 'character')}`, functionId);
    }
    case 'uniqueItems':
      return mistake(`${name} has the same twice${not}`, functionId);
    case 'minimum':
    case 'maximum':
      return mistake(
        `${name} must be ${keyword === 'minimum' ? 'at least' : 'at most'} ${params.limit}${not}`,
        functionId,
      );
  }
  return mistake(`${name === '' ? functionId : name} ${message}${name === '' ? '' : not}`, functionId);
}

/** Suggests commas for a list that was typed with other separators: `deu+eng`. */
function splitItem([name, index, ...deeper]: string[], data: unknown): string | undefined {
  if (index === undefined || deeper.length > 0 || typeof data !== 'string' || !/[+;\s]/.test(data)) return undefined;
  return `${name}=${data.split(/[+;\s]+/).join(',')}`;
}

function exampleOf(name: string, schema: Json | undefined): string {
  const [example] = (schema?.examples as unknown[] | undefined) ?? [];
  return Array.isArray(example) ? `, as in ${name}=${example.join(',')}` : '';
}

function mistake(message: string, functionId: string, near?: string): OcrError {
  const hint = near === undefined ? `Its arguments: ocr functions get ${functionId}` : `Did you mean ${near}?`;
  return new OcrError('USAGE', message, { hint });
}

const TYPE_NAMES: Record<string, string> = {
  string: 'text',
  integer: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
};

function nameType(type: string): string {
  return TYPE_NAMES[type] ?? type;
}

function shorten(text: string): string {
  return text.length > 100 ? `${text.slice(0, 99)}…` : text;
}

/** Unescapes a segment of a JSON Pointer (RFC 6901). */
function unescapePointer(segment: string): string {
  return segment.replaceAll('~1', '/').replaceAll('~0', '~');
}
