import { Validator } from '@seriousme/openapi-schema-validator';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { catalog } from '../../dist/functions/catalog.js';
import { checkAnswer } from './support/check-answer.js';
import { call } from './support/http.js';
import { HOSTILE_PROGRAM, startTestService, type TestService } from './support/running-service.js';

let running: TestService;
beforeAll(async () => {
  running = await startTestService({ documentProgram: HOSTILE_PROGRAM });
});
afterAll(() => running.remove());

test('any valid key → a valid OpenAPI 3.1 document', async () => {
  const answer = await running.get('/v1/openapi.json');
  expect(answer.status).toBe(200);
  const validator = new Validator();
  expect(await validator.validate(answer.json)).toEqual({ valid: true });
  expect(validator.version).toBe('3.1');
  expect((await new Validator().validate({ ...answer.json, paths: { x: 1 } })).valid).toBe(false);
  const again = await call(`${running.url}/v1/openapi.json`, {
    headers: { 'x-api-key': running.key, 'if-none-match': String(answer.headers.etag) },
  });
  expect(again).toMatchObject({ status: 304, text: '' });
  expect((await call(`${running.url}/v1/openapi.json`)).status).toBe(401);
  const post = await call(`${running.url}/v1/openapi.json`, { method: 'POST' });
  expect([post.status, post.headers.allow]).toEqual([405, 'GET, HEAD']);
});

test('references and schemas of the document → all resolve and compile', async () => {
  const document = (await running.get('/v1/openapi.json')).json;
  const references = [...JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g)].map((match) => match[1] ?? '');
  expect(references.length).toBeGreaterThan(10);
  for (const reference of references) {
    const found = reference.split('/').reduce((value, name) => value?.[name], document);
    expect(found, reference).toBeDefined();
  }
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  ajv.addSchema(document, 'openapi');
  for (const name of Object.keys(document.components.schemas))
    expect(ajv.getSchema(`openapi#/components/schemas/${name}`), name).toBeTypeOf('function');
});

test('arguments → described by the schemas that check them', async () => {
  const { components } = (await running.get('/v1/openapi.json')).json;
  for (const { id, argsSchema } of catalog)
    expect(components.schemas[`${id}_args`]).toMatchObject({
      properties: JSON.parse(JSON.stringify(argsSchema.properties)),
      additionalProperties: false,
    });
});

test('results → described in the document and the catalog', async () => {
  const { components } = (await running.get('/v1/openapi.json')).json;
  const { functions } = (await running.get('/v1/ocr/functions')).json;
  for (const [index, { id, resultSchema }] of catalog.entries()) {
    const { $schema, ...schema } = JSON.parse(JSON.stringify(resultSchema));
    expect(components.schemas[`${id}_result`]).toMatchObject(schema);
    expect(components.schemas.Result.anyOf).toContainEqual({ $ref: `#/components/schemas/${id}_result` });
    expect(functions[index].resultSchema).toEqual({ $schema, ...schema });
  }
});

test('an answer outside the document → found', () => {
  const headers = { 'x-request-id': 'req_01ARZ3NDEKTSV4RRFFQ69G5FAV', 'content-type': 'application/json' };
  const url = 'http://x/v1/ocr/jobs/job_1';
  const error = { code: 'NOT_FOUND', message: '', requestId: headers['x-request-id'], retryable: false };
  const check = (status: number, json: unknown, more: object = {}, method = 'GET', at = url) =>
    checkAnswer(method, at, { status, headers: { ...headers, ...more }, text: JSON.stringify(json), json });
  expect(() => check(404, { error })).not.toThrow();
  expect(() => check(404, { error: { ...error, code: 'QUOTA_EXCEEDED' } })).toThrow('code');
  expect(() => check(404, { error: { ...error, retryable: undefined } })).toThrow('retryable');
  expect(() => check(418, { error })).toThrow('status');
  expect(() => check(401, { error: { ...error, code: 'UNAUTHORIZED' } })).toThrow('WWW-Authenticate');
  expect(() => check(503, { error: { ...error, code: 'INTERNAL' } }, { 'retry-after': 'soon' })).toThrow('Retry-After');
  expect(() => check(200, { status: 'completed' })).toThrow('jobId');
  expect(() => check(200, {}, {}, 'PUT')).toThrow('no such operation');
  expect(() => check(404, 'plain', {}, 'GET', 'http://x/v1/nothing')).toThrow();
});
