import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import { suggest } from '../../contract/suggest.js';
import type { OcrFunction } from '../../functions/function.js';
import { ServiceError } from '../http/service-error.js';
import type { Args } from '../secrets/args-vault.js';

// The schemas are validated in the tests, because doing it here takes 30 ms of the first call.
const ajv = new Ajv2020({ strict: false, allErrors: false, verbose: true, validateSchema: false, meta: false });
const validators = new WeakMap<object, ValidateFunction>();

/**
 * Parses the arguments of a call; none or an empty text gives `{}`.
 * @throws ServiceError INVALID_ARGS with the JSON pointer, the expected value, and the nearest name for an unknown argument
 */
export function parseArgs(text: string | undefined, target: OcrFunction): Args {
  if (text === undefined || text === '') return {};
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw invalid('', 'a JSON object', 'it is not JSON');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw invalid('', 'a JSON object');
  const error = findError(target.argsSchema, value);
  if (error !== undefined) throw explain(error);
  return value as Args;
}

/** Returns the first error of a value that does not match a schema of arguments, or of one of them. */
export function findError(schema: object, value: unknown): ErrorObject | undefined {
  let validate = validators.get(schema);
  if (validate === undefined) {
    validate = ajv.compile(schema);
    validators.set(schema, validate);
  }
  return validate(value) ? undefined : validate.errors?.[0];
}

function explain(error: ErrorObject): ServiceError {
  const { instancePath: pointer, keyword, params, message = 'another value' } = error;
  switch (keyword) {
    case 'additionalProperties':
      return explainUnknownName(error);
    case 'required':
      return invalid(`${pointer}/${escapePointer(params.missingProperty)}`, 'a value', 'it is missing');
    case 'enum':
      return invalid(
        pointer,
        `one of ${params.allowedValues.map((value: unknown) => JSON.stringify(value)).join(', ')}`,
      );
    case 'type':
      return invalid(pointer, `a value of type ${[params.type].flat().join(' or ')}`);
    case 'pattern':
      return invalid(pointer, `a text${describeExample(error.parentSchema)} that matches ${params.pattern}`);
    default:
      return invalid(pointer, message.replace(/^must (?:be |have |match )?/, ''));
  }
}

function explainUnknownName({ instancePath, params, parentSchema }: ErrorObject): ServiceError {
  const given = String(params.additionalProperty);
  const names = Object.keys((parentSchema as { properties?: object } | undefined)?.properties ?? {});
  const nearest = suggest(given.slice(0, 100), names);
  return invalid(
    `${instancePath}/${escapePointer(given.slice(0, 60))}`,
    names.length === 0 ? 'no arguments' : `one of the arguments ${names.join(', ')}`,
    nearest === undefined ? undefined : `did you mean "${nearest}"?`,
  );
}

/** Describes an invalid argument without its value, which may be a password. */
function invalid(pointer: string, expected: string, remark?: string): ServiceError {
  const where = pointer === '' ? 'args' : `args at ${pointer}`;
  return new ServiceError(
    'INVALID_ARGS',
    `${where}: expected ${expected}${remark === undefined ? '' : ` (${remark})`}`,
  );
}

function describeExample(schema: unknown): string {
  const example = (schema as { examples?: unknown[] } | undefined)?.examples?.[0];
  return example === undefined ? '' : ` such as ${JSON.stringify(example)}`;
}

/** Escapes a segment of a JSON pointer (RFC 6901). */
function escapePointer(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}
