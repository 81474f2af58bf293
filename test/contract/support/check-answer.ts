import { Ajv2020 } from 'ajv/dist/2020.js';
import { createOpenApiDocument } from '../../../dist/service/openapi/document.js';
import type { Answer } from './http.js';

type Json = Record<string, unknown>;
interface Response {
  headers?: Record<string, { $ref?: string; required?: boolean; schema?: Json }>;
  content?: Record<string, { schema: Json }>;
}
interface Operation {
  responses: Record<string, Response>;
}

const document = createOpenApiDocument('0.0.0') as Json & { paths: Record<string, Record<string, Operation>> };
const ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: false });
ajv.addSchema(document, 'openapi');

/**
 * Checks an answer of /v1 against the OpenAPI document: its status, its headers and its body. A call without an operation in
 * the document must be refused in the envelope.
 * @throws Error that says what does not fit
 */
export function checkAnswer(method: string, url: string, answer: Answer): void {
  const { pathname } = new URL(url);
  if (!/^\/v1(?:\/|$)/.test(pathname)) return;
  const where = `${method} ${pathname} → ${answer.status}`;
  const template = findTemplate(pathname);
  const verb = method === 'HEAD' ? 'get' : method.toLowerCase();
  const operation = template === undefined ? undefined : document.paths[template]?.[verb];
  if (template === undefined || operation === undefined) {
    if (answer.status < 400) throw new Error(`${where}: the OpenAPI document has no such operation`);
    checkBody(where, answer, ['components', 'schemas', 'ErrorBody']);
    return;
  }
  const response = operation.responses[answer.status];
  if (response === undefined) throw new Error(`${where}: a status that the OpenAPI document does not name`);
  for (const [name, { required, schema }] of Object.entries(response.headers ?? {})) {
    const value = answer.headers[name.toLowerCase()];
    if (required && value === undefined) throw new Error(`${where}: without the header ${name}`);
    if (value === undefined || schema === undefined) continue;
    if (schema.type === 'integer' && !/^\d+$/.test(String(value))) throw new Error(`${where}: ${name}: ${value}`);
    if (typeof schema.pattern === 'string' && !new RegExp(schema.pattern).test(String(value)))
      throw new Error(`${where}: ${name}: ${value}`);
  }
  if (response.content === undefined) {
    if (answer.text !== '') throw new Error(`${where}: a body that the OpenAPI document does not name`);
  } else if (method !== 'HEAD') {
    if (!answer.headers['content-type']?.startsWith('application/json'))
      throw new Error(`${where}: Content-Type ${answer.headers['content-type']}`);
    checkBody(where, answer, [
      'paths',
      template,
      verb,
      'responses',
      String(answer.status),
      'content',
      'application/json',
      'schema',
    ]);
  }
}

function checkBody(where: string, answer: Answer, path: readonly string[]): void {
  const pointer = path.map((name) => encodeURIComponent(name.replaceAll('~', '~0').replaceAll('/', '~1'))).join('/');
  const validate = ajv.getSchema(`openapi#/${pointer}`);
  if (validate === undefined) throw new Error(`${where}: the OpenAPI document has no schema at ${pointer}`);
  if (validate(answer.json)) return;
  throw new Error(`${where}: ${ajv.errorsText(validate.errors)}\n${answer.text.slice(0, 500)}`);
}

/** Finds the operation of a path. A path without a parameter wins (OpenAPI). */
function findTemplate(pathname: string): string | undefined {
  const templates = Object.keys(document.paths);
  return (
    templates.find((template) => template === pathname) ??
    templates.find((template) => new RegExp(`^${template.replace(/\{\w+\}/g, '[^/]+')}$`).test(pathname))
  );
}
