import { expect, test } from 'vitest';
import { explainLackOfResources, toServiceError } from '../../../../src/service/http/service-error.js';

test('a lack of resources → PROVIDER_UNAVAILABLE; other faults → INTERNAL', () => {
  const full = Object.assign(new Error('ENOSPC: /secret/path'), { code: 'ENOSPC' });
  expect(toServiceError(full)).toMatchObject({ code: 'PROVIDER_UNAVAILABLE', headers: { 'retry-after': '5' } });
  expect(toServiceError(full).message).toMatch(/disk is full/);
  expect(toServiceError(full).message).not.toMatch(/secret/);
  expect(explainLackOfResources(Object.assign(new Error(), { errcode: 13 }))).toMatch(/disk is full/);
  expect(explainLackOfResources(Object.assign(new Error(), { code: 'EMFILE' }))).toMatch(/files open/);
  expect(toServiceError(new Error('private detail'))).toMatchObject({ code: 'INTERNAL' });
  expect(toServiceError(new Error('private detail')).message).not.toMatch(/private/);
});
