import { expect, test } from 'vitest';
import { explainNetworkError } from '../../../../src/api/http/network-error.js';

const explain = (error: object, proxy?: string) =>
  explainNetworkError(Object.assign(new Error('low-level words'), error), 'https://ocr.example:8443/a', 2_500, proxy);

test.each<[string, string, boolean, string]>([
  ['ENOTFOUND', 'No host has the name ocr.example', false, 'address'],
  ['EAI_AGAIN', 'The name ocr.example cannot be looked up now', true, 'network'],
  ['ECONNREFUSED', 'Nothing listens at ocr.example:8443', true, 'address'],
  ['ECONNRESET', 'ocr.example:8443 closed the connection', true, 'address'],
  ['EPIPE', 'ocr.example:8443 closed the connection', true, 'address'],
  ['UND_ERR_SOCKET', 'ocr.example:8443 closed the connection', true, 'address'],
  ['EHOSTUNREACH', 'ocr.example:8443 cannot be reached (EHOSTUNREACH)', true, 'proxy'],
  ['ENETUNREACH', 'ocr.example:8443 cannot be reached (ENETUNREACH)', true, 'proxy'],
  ['ETIMEDOUT', 'ocr.example:8443 does not answer', true, 'firewall'],
  ['UND_ERR_CONNECT_TIMEOUT', 'ocr.example:8443 does not answer', true, 'firewall'],
  ['UND_ERR_HEADERS_TIMEOUT', 'ocr.example:8443 made no progress for 2.5 s', true, '--timeout'],
  ['UND_ERR_BODY_TIMEOUT', 'ocr.example:8443 made no progress for 2.5 s', true, '--timeout'],
  ['CERT_HAS_EXPIRED', 'The certificate of ocr.example:8443 has expired', false, 'clock'],
  ['CERT_NOT_YET_VALID', 'The certificate of ocr.example:8443 is not valid yet', false, 'clock'],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', 'not signed by an authority that this machine trusts', false, 'NODE_EXTRA_CA_CERTS'],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'is not trusted', false, 'NODE_EXTRA_CA_CERTS'],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'is not for ocr.example', false, 'name'],
  ['HPE_INVALID_CONSTANT', 'does not speak HTTP', false, 'address'],
  ['EPROTO', 'does not speak TLS', false, 'address'],
  ['SOMETHING_NEW', 'The connection to https://ocr.example:8443 failed: low-level words', true, 'address'],
])('%s → “%s”, with a hint', (code, words, isRetryable, hint) => {
  const { error, kind } = explain({ code });
  expect(error.message).toContain(words);
  expect(error.hint).toContain(hint);
  expect(error).toMatchObject({ exitCode: 7, retryable: isRetryable });
  expect(error.code).toBe(kind === 'timeout' ? 'TIMEOUT' : 'UNREACHABLE');
});

test('an error inside others → found', () => {
  const refused = Object.assign(new Error('x'), { code: 'ECONNREFUSED' });
  const several = new AggregateError([refused, refused]);
  expect(explain({ cause: several }).error.message).toBe('Nothing listens at ocr.example:8443');
});

test.each([
  [new RangeError('WebAssembly.Instance(): Out of memory: Cannot allocate Wasm memory'), /^Not enough memory: Web/],
  [Object.assign(new Error('connect EMFILE'), { code: 'EMFILE' }), /^Too many files are open: connect EMFILE/],
])('no memory or too many open files → OUT_OF_RESOURCES, no network error: %s', (cause, message) => {
  const { error, kind } = explain({ cause });
  expect(error).toMatchObject({ code: 'OUT_OF_RESOURCES', exitCode: 1, message: expect.stringMatching(message) });
  expect(kind).toBe('permanent');
});

test('a failure on the way to a proxy → named as the proxy’s; within a tunnel → as the service’s', () => {
  const proxy = 'http://proxy.example:3128';
  const withoutTunnel = (cause: object) => explain({ code: 'NO_TUNNEL', cause }, proxy).error;
  expect(withoutTunnel({ code: 'ENOTFOUND' }).message).toContain('name of the proxy, proxy.example');
  expect(withoutTunnel({ code: 'ECONNREFUSED' }).message).toContain(`The proxy ${proxy} cannot be reached`);
  expect(withoutTunnel({ code: 'UND_ERR_SOCKET' })).toMatchObject({
    message: `The proxy ${proxy} closed the connection on the way to ocr.example:8443`,
    retryable: true,
  });
  expect(withoutTunnel({ code: 'UND_ERR_HEADERS_TIMEOUT' })).toMatchObject({
    message: `The proxy ${proxy} does not answer on the way to ocr.example:8443`,
    code: 'TIMEOUT',
  });
  expect(withoutTunnel({ code: 'CERT_HAS_EXPIRED' }).message).toBe('The certificate of proxy.example:3128 has expired');
  const refused = explain({ message: 'Proxy response (502) !== 200 when HTTP Tunneling' }, proxy).error;
  expect(refused).toMatchObject({ message: expect.stringContaining('answered 502'), retryable: true });
  // Within a tunnel it is the service's.
  expect(explain({ code: 'ECONNRESET' }, proxy).error.message).toBe('ocr.example:8443 closed the connection');
  expect(explain({ code: 'UND_ERR_CONNECT_TIMEOUT' }, proxy).error.message).toBe('ocr.example:8443 does not answer');
  expect(explain({ code: 'UND_ERR_HEADERS_TIMEOUT' }, proxy).error.message).toContain(
    `through the proxy ${proxy}, made`,
  );
});
