import { expect, test } from 'vitest';
import { locateBucket, parseS3Url } from '../../../../../src/store/blobs/s3/location.js';

const KEYS = { AWS_ACCESS_KEY_ID: 'id', AWS_SECRET_ACCESS_KEY: 'secret' };

test.each([
  ['s3://ocr', { AWS_REGION: 'eu-west-1' }, 'https://ocr.s3.eu-west-1.amazonaws.com', '', 'eu-west-1'],
  [
    's3://ocr/a/b/',
    { AWS_DEFAULT_REGION: 'cn-north-1' },
    'https://ocr.s3.cn-north-1.amazonaws.com.cn',
    'a/b/',
    'cn-north-1',
  ],
  // The certificate of AWS has no names with further dots.
  ['s3://my.ocr/a', { AWS_REGION: 'eu-west-1' }, 'https://s3.eu-west-1.amazonaws.com/my.ocr', 'a/', 'eu-west-1'],
  ['s3://ocr/a', { AWS_ENDPOINT_URL_S3: 'http://garage:3900/' }, 'http://garage:3900/ocr', 'a/', 'us-east-1'],
  ['s3://ocr/a', { AWS_ENDPOINT_URL: 'https://x/s3', AWS_REGION: 'r' }, 'https://x/s3/ocr', 'a/', 'r'],
  [
    's3://ocr/a?endpoint=https://near:9000&region=garage',
    { AWS_ENDPOINT_URL_S3: 'https://far', AWS_REGION: 'eu-west-1' },
    'https://near:9000/ocr',
    'a/',
    'garage',
  ],
])('%s with %j → %s', (url, env, bucketUrl, prefix, region) => {
  expect(locateBucket(url, { ...KEYS, ...env })).toMatchObject({ bucketUrl, prefix, region, accessKeyId: 'id' });
});

test.each([
  ['https://ocr', 'expected s3://bucket/prefix'],
  ['ocr', 'expected s3://bucket/prefix'],
  ['s3://', 'cannot be the name of a bucket'],
  ['s3://OCR_1', 'cannot be the name of a bucket'],
  ['s3://ocr/a b', 'the prefix'],
  ['s3://ocr/a//b', 'the prefix'],
  ['s3://ocr?endpiont=https://x', 'endpiont'],
  ['s3://ocr?endpoint=x', 'the endpoint must be an address'],
  ['s3://ocr?endpoint=https://user:pass@x', 'the endpoint must be an address'],
])('%s → refused: %s', (url, message) => {
  expect(() => parseS3Url(url)).toThrow(message);
});

test('a URL with a key → refused without repeating it', () => {
  expect(() => parseS3Url('s3://planted:hidden@ocr')).toThrow(
    /^it must not hold a key: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY$/,
  );
});

test.each([
  [{}, 'AWS_REGION is not set'],
  [{ AWS_REGION: 'r' }, 'AWS_ACCESS_KEY_ID is not set'],
  [{ AWS_REGION: 'r', AWS_ACCESS_KEY_ID: 'id' }, 'AWS_SECRET_ACCESS_KEY is not set'],
])('an environment of %j → %s', (env, message) => {
  expect(() => locateBucket('s3://ocr', env)).toThrow(message);
});
