import { formatDuration } from '../contract/duration.js';
import { OcrError } from '../contract/ocr-error.js';
import { CallFailure, type FailureKind } from './call-failure.js';

interface Words {
  kind: FailureKind;
  message: string;
  hint: string;
}

const CERTIFICATE_CODES = /^(?:SELF_SIGNED|DEPTH_ZERO|UNABLE_TO_|CERT_|ERR_TLS_CERT|HOSTNAME_MISMATCH)/;

/** A failure of the network in words: which host, which name, what to check. */
export function explainNetworkError(error: unknown, baseUrl: string, timeoutMs: number): CallFailure {
  const { kind, message, hint } = describe(error, new URL(baseUrl), timeoutMs);
  const code = kind === 'timeout' ? 'TIMEOUT' : 'UNREACHABLE';
  const isRetryable = kind === 'connection' || kind === 'timeout';
  return new CallFailure(new OcrError(code, message, { hint, retryable: isRetryable, cause: error }), kind);
}

function describe(error: unknown, url: URL, timeoutMs: number): Words {
  const { code, text } = innermost(error);
  const { host, hostname, origin } = url;
  const checkAddress = 'Check the address (--base-url, OCR_BASE_URL or the profile) and that the service runs.';
  if (code === 'ENOTFOUND') {
    return { kind: 'permanent', message: `No host has the name ${hostname}`, hint: checkAddress };
  }
  if (code === 'EAI_AGAIN') {
    return { kind: 'connection', message: `The name ${hostname} cannot be looked up now`, hint: 'Check the network.' };
  }
  if (code === 'ECONNREFUSED') {
    return { kind: 'connection', message: `Nothing listens at ${host}`, hint: checkAddress };
  }
  if (code === 'ENETUNREACH' || code === 'EHOSTUNREACH') {
    return { kind: 'connection', message: `There is no way to ${host} (${code})`, hint: 'Check the network.' };
  }
  if (code === 'UND_ERR_HEADERS_TIMEOUT' || code === 'UND_ERR_BODY_TIMEOUT') {
    const message = `${host} made no progress for ${formatDuration(timeoutMs)}`;
    return { kind: 'timeout', message, hint: 'Try again, or give it longer with --timeout.' };
  }
  if (code === 'UND_ERR_CONNECT_TIMEOUT' || code === 'ETIMEDOUT') {
    return { kind: 'timeout', message: `${host} does not answer`, hint: 'Check the address and the firewall.' };
  }
  if (CERTIFICATE_CODES.test(code)) {
    const message = `The certificate of ${host} is not trusted: ${text}`;
    return { kind: 'permanent', message, hint: 'For a certificate authority of your own, set NODE_EXTRA_CA_CERTS.' };
  }
  if (code === 'EPROTO' || code.startsWith('ERR_SSL') || code.startsWith('ERR_TLS')) {
    const message = `${host} does not speak TLS as expected`;
    return { kind: 'permanent', message, hint: `Is the address right? It begins with ${url.protocol}//` };
  }
  if (/proxy/i.test(text)) {
    const message = `The proxy refused the way to ${host}: ${text}`;
    return { kind: 'permanent', message, hint: 'Check HTTPS_PROXY, HTTP_PROXY and NO_PROXY.' };
  }
  if ((error as Error).name === 'HTTPParserError') {
    return { kind: 'permanent', message: `What answers at ${host} is no HTTP service`, hint: checkAddress };
  }
  if (code === 'ECONNRESET' || code === 'EPIPE' || code === 'UND_ERR_SOCKET') {
    return { kind: 'connection', message: `${host} closed the connection`, hint: checkAddress };
  }
  return { kind: 'connection', message: `The connection to ${origin} failed: ${text}`, hint: checkAddress };
}

/** undici and Node wrap: an AggregateError for several addresses, a cause for a socket. */
function innermost(error: unknown): { code: string; text: string } {
  let current = error as { code?: unknown; message?: unknown; cause?: unknown; errors?: unknown };
  for (let depth = 0; depth < 5; depth++) {
    const inner = Array.isArray(current.errors) ? current.errors[0] : current.cause;
    if (typeof inner !== 'object' || inner === null) break;
    current = inner as typeof current;
  }
  const outer = error as { code?: unknown; message?: unknown };
  const code = typeof current.code === 'string' ? current.code : typeof outer.code === 'string' ? outer.code : '';
  return { code, text: String(current.message ?? outer.message ?? error) };
}
