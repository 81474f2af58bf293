import { Ajv2020 } from 'ajv/dist/2020.js';
import type { OcrFunction } from '../../src/functions/function.js';

type Json = Record<string, unknown>;

/**
 * Holds a result of a function of ours against its resultSchema. The schema leaves room for what later versions add;
 * here it is closed, so that nothing is given that it does not describe.
 * @throws Error that says what does not fit
 */
export function checkResult({ id, resultSchema }: Pick<OcrFunction, 'id' | 'resultSchema'>, result: unknown): void {
  const validate = new Ajv2020({ strict: true, allowUnionTypes: true }).compile(close(resultSchema) as Json);
  // The client gets it through JSON, which drops undefined values.
  if (validate(JSON.parse(JSON.stringify(result)))) return;
  const [first] = validate.errors ?? [];
  throw new Error(`A result of ${id} is not as its resultSchema says: ${JSON.stringify(first)}`);
}

function close(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(close);
  if (typeof schema !== 'object' || schema === null) return schema;
  const inner = Object.fromEntries(Object.entries(schema).map(([name, value]) => [name, close(value)]));
  const isClosed = inner.type === 'object' && 'properties' in inner && !('additionalProperties' in inner);
  return isClosed ? { ...inner, additionalProperties: false } : inner;
}
