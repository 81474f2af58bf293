import { formatDuration } from '../../contract/duration.js';
import { explainResourceLack, OcrError } from '../../contract/ocr-error.js';
import { CallFailure, type FailureKind } from './call-failure.js';

interface FailureText {
  kind: FailureKind;
  message: string;
  hint: string;
}

/** A failure, and the two sides that it happened between. */
interface NetworkFailure {
  code: string;
  text: string;
  host: string;
  hostname: string;
  url: URL;
  timeoutMs: number;
  proxy: string | undefined;
  /** The proxy gave no tunnel, so there was no connection with the service yet. */
  isWithoutTunnel: boolean;
  error: Cause;
}

interface Cause {
  name?: unknown;
  code?: unknown;
  message?: unknown;
  cause?: unknown;
  errors?: unknown;
  reason?: unknown;
}

const CERTIFICATE_CODES = /^(?:SELF_SIGNED|DEPTH_ZERO|UNABLE_TO_|CERT_|ERR_TLS_CERT|HOSTNAME_MISMATCH)/;
const CHECK_ADDRESS = 'Check the address (--base-url, OCR_BASE_URL or the profile) and that the service runs.';
const CHECK_NETWORK = 'Check the network, and whether a proxy is needed (HTTPS_PROXY).';
const CHECK_PROXY = 'Check HTTPS_PROXY, HTTP_PROXY, ALL_PROXY and NO_PROXY.';

/**
 * Says in words what failed in the network: which host, which name, what to check.
 * @param error undici's error; for a tunnel that the proxy did not give, an error of the code NO_TUNNEL with its cause
 * @param proxy address of the proxy in use, without its password
 */
export function explainNetworkError(error: unknown, baseUrl: string, timeoutMs: number, proxy?: string): CallFailure {
  const url = new URL(baseUrl);
  const inner = innermost(error as Cause);
  const lack = explainResourceLack(inner);
  if (lack !== undefined) return new CallFailure(lack, 'permanent');
  const outer = error as Cause;
  const code = [inner.code, outer.code].find((candidate) => typeof candidate === 'string') ?? '';
  const text = String(inner.message ?? outer.message ?? error);
  const { host, hostname } = url;
  const isWithoutTunnel = outer.code === 'NO_TUNNEL';
  const failed = { code: String(code), text, host, hostname, url, timeoutMs, proxy, isWithoutTunnel, error: inner };
  const words = describeProxy(failed) ?? describe(failed);
  const isRetryable = words.kind === 'connection' || words.kind === 'timeout';
  const details = { hint: words.hint, retryable: isRetryable, cause: error };
  const name = words.kind === 'timeout' ? 'TIMEOUT' : 'UNREACHABLE';
  return new CallFailure(new OcrError(name, words.message, details), words.kind);
}

/** Describes a failure between the client and the proxy: before there is a tunnel, or where none is used. */
function describeProxy(failed: NetworkFailure): FailureText | undefined {
  const { code, text, host, url, proxy, isWithoutTunnel } = failed;
  if (proxy === undefined) return undefined;
  const hint = CHECK_PROXY;
  const refused = /Proxy response \((\d+)\)/.exec(text)?.[1] ?? (/407/.test(text) ? '407' : undefined);
  if (refused !== undefined) {
    const asks = refused === '407' ? 'wants a user name and password' : `answered ${refused}`;
    const kind = refused.startsWith('5') ? 'connection' : 'permanent';
    return { kind, message: `The proxy ${proxy} ${asks} on the way to ${host}`, hint };
  }
  if (!isWithoutTunnel && url.protocol === 'https:') return undefined;
  const { hostname, host: proxyHost } = new URL(proxy);
  if (CERTIFICATE_CODES.test(code)) return describeCertificate({ ...failed, host: proxyHost, hostname });
  switch (code) {
    case 'ENOTFOUND':
      return { kind: 'permanent', message: `No host has the name of the proxy, ${hostname}`, hint };
    case 'ECONNRESET':
    case 'EPIPE':
    case 'UND_ERR_SOCKET':
      return { kind: 'connection', message: `The proxy ${proxy} closed the connection on the way to ${host}`, hint };
    case 'UND_ERR_HEADERS_TIMEOUT':
    case 'UND_ERR_BODY_TIMEOUT':
      // With plain http the proxy may be waiting for the service.
      if (!isWithoutTunnel) return undefined;
      return { kind: 'timeout', message: `The proxy ${proxy} does not answer on the way to ${host}`, hint };
  }
  const kind = code === 'UND_ERR_CONNECT_TIMEOUT' ? 'timeout' : 'connection';
  return { kind, message: `The proxy ${proxy} cannot be reached (${code || text})`, hint };
}

function describe(failed: NetworkFailure): FailureText {
  const { code, text, host, hostname, url, timeoutMs, proxy, error } = failed;
  switch (code) {
    case 'ENOTFOUND':
      return { kind: 'permanent', message: `No host has the name ${hostname}`, hint: CHECK_ADDRESS };
    case 'EAI_AGAIN':
      return { kind: 'connection', message: `The name ${hostname} cannot be looked up now`, hint: CHECK_NETWORK };
    case 'ECONNREFUSED':
      return { kind: 'connection', message: `Nothing listens at ${host}`, hint: CHECK_ADDRESS };
    case 'ENETUNREACH':
    case 'EHOSTUNREACH':
    case 'EADDRNOTAVAIL':
      return { kind: 'connection', message: `${host} cannot be reached (${code})`, hint: CHECK_NETWORK };
    case 'UND_ERR_HEADERS_TIMEOUT':
    case 'UND_ERR_BODY_TIMEOUT': {
      const who = proxy === undefined ? host : `${host}, asked through the proxy ${proxy},`;
      const message = `${who} made no progress for ${formatDuration(timeoutMs)}`;
      return { kind: 'timeout', message, hint: 'Try again, or give it longer with --timeout.' };
    }
    case 'UND_ERR_CONNECT_TIMEOUT':
    case 'ETIMEDOUT':
      return { kind: 'timeout', message: `${host} does not answer`, hint: 'Check the address and the firewall.' };
    case 'ECONNRESET':
    case 'EPIPE':
    case 'UND_ERR_SOCKET':
      return { kind: 'connection', message: `${host} closed the connection`, hint: CHECK_ADDRESS };
  }
  if (CERTIFICATE_CODES.test(code)) return describeCertificate(failed);
  if (code === 'EPROTO' || code.startsWith('ERR_SSL') || code.startsWith('ERR_TLS')) {
    const isPlain = /wrong version number|packet length/i.test(text);
    const message = isPlain ? `${host} does not speak TLS` : `${host} does not speak TLS as expected: ${text.trim()}`;
    const hint = isPlain ? `Is the address right? It begins with ${url.protocol}//` : CHECK_ADDRESS;
    return { kind: 'permanent', message, hint };
  }
  if (error.name === 'HTTPParserError' || code.startsWith('HPE_')) {
    return { kind: 'permanent', message: `${host} does not speak HTTP`, hint: CHECK_ADDRESS };
  }
  return { kind: 'connection', message: `The connection to ${url.origin} failed: ${text}`, hint: CHECK_ADDRESS };
}

function describeCertificate({ code, text, host, hostname, error }: NetworkFailure): FailureText {
  const kind = 'permanent';
  if (code === 'CERT_HAS_EXPIRED') {
    const hint = "Whoever runs the service has to renew it; also check this machine's clock.";
    return { kind, message: `The certificate of ${host} has expired`, hint };
  }
  if (code === 'CERT_NOT_YET_VALID') {
    return { kind, message: `The certificate of ${host} is not valid yet`, hint: "Check this machine's clock." };
  }
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') {
    // Node's reason ends with the names that the certificate is for.
    const names = /altnames: (.+)$|cert's CN: (.+)$/.exec(String(error.reason ?? text));
    const other = names?.[1] ?? names?.[2];
    const message = `The certificate of ${host} is not for ${hostname}${other === undefined ? '' : `, but for ${other.replace(/\.$/, '')}`}`;
    return { kind, message, hint: 'Check the name in the address (--base-url, OCR_BASE_URL or the profile).' };
  }
  const who = /SELF_SIGNED/.test(code) ? 'not signed by an authority that this machine trusts' : 'not trusted';
  const hint = 'For a certificate authority of your own: NODE_EXTRA_CA_CERTS=<its certificate, a PEM file>';
  return { kind, message: `The certificate of ${host} is ${who}: ${text}`, hint };
}

/** Unwraps an error: undici and Node use an AggregateError for several addresses, a cause for a socket. */
function innermost(error: Cause): Cause {
  let current = error;
  for (let depth = 0; depth < 5; depth++) {
    const inner = Array.isArray(current.errors) ? current.errors[0] : current.cause;
    if (typeof inner !== 'object' || inner === null) break;
    current = inner as Cause;
  }
  return current;
}
