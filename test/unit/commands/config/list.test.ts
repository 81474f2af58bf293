import { expect, test } from 'vitest';
import { get } from '../../../../src/commands/config/get.js';
import { list } from '../../../../src/commands/config/list.js';
import { fakeContext } from '../../../support/fake-context.js';

const env = { OCR_BASE_URL: 'https://ocr.example', OCR_API_KEY: 'ocr_live_secret' };

const lines = (...rows: string[]) => rows.map((row) => `${row}\n`).join('');

test('settings on a terminal → a table with their origins', async () => {
  const fake = fakeContext('terminal', { env });
  await list(fake.context, { showsOrigin: true });
  expect(fake.stdout).toBe(
    lines(
      'Setting              Value                From',
      'profile              local                built-in',
      'base-url             https://ocr.example  OCR_BASE_URL',
      'function             TEXT_EXTRACTION      built-in',
      'format               text                 built-in',
      'languages                                 built-in',
      'concurrency          4                    built-in',
      'wait-timeout         300s                 built-in',
      'timeout              120s                 built-in',
      'cancel-on-interrupt  false                built-in',
    ),
  );
});

test('settings in a pipe → a line each, with tabs and without the key', async () => {
  const fake = fakeContext('pipe', { env });
  await list(fake.context, { showsOrigin: false });
  expect(fake.stdout).toBe(
    lines(
      'profile\tlocal',
      'base-url\thttps://ocr.example',
      'function\tTEXT_EXTRACTION',
      'format\ttext',
      'languages\t',
      'concurrency\t4',
      'wait-timeout\t300s',
      'timeout\t120s',
      'cancel-on-interrupt\tfalse',
    ),
  );
});

test('settings with --json → name, value and source of each', async () => {
  const fake = fakeContext('json', { env });
  await list(fake.context, { showsOrigin: false });
  expect(JSON.parse(fake.stdout)).toContainEqual({
    name: 'base-url',
    value: 'https://ocr.example',
    origin: 'environment',
    source: 'OCR_BASE_URL',
  });
  expect(fake.stdout).not.toContain('secret');
});

test.each<[string, string]>([
  ['base-url', 'https://ocr.example\n'],
  ['function', 'TEXT_EXTRACTION\n'],
])('the setting %s → its value alone', async (name, printed) => {
  const fake = fakeContext('pipe', { env });
  await get(fake.context, { name });
  expect(fake.stdout).toBe(printed);
});
