import { TargetRefusedError } from './check-target.js';

/** Thrown when an attempt exceeds its time limit. */
export class AttemptTimeoutError extends Error {
  override readonly name = 'AttemptTimeoutError';
}

const MAX_LENGTH = 200;

const REASONS: Record<string, string> = {
  ECONNREFUSED: 'the connection was refused',
  ECONNRESET: 'the connection was reset',
  EPIPE: 'the connection was closed while the event was sent',
  ETIMEDOUT: 'no connection in time',
  EHOSTUNREACH: 'no way to the host',
  ENETUNREACH: 'no way to the network',
  ENOTFOUND: 'the name does not resolve',
  ENODATA: 'the name has no address',
  ESERVFAIL: 'the name server failed',
  ETIMEOUT: 'the name server did not answer',
  EPROTO: 'no TLS was spoken',
  HPE_HEADER_OVERFLOW: 'the headers of the answer are too large',
};

/** Returns the reason for a missing answer, as one line of the delivery log. */
export function explainFailure(error: unknown): string {
  const { code, message = String(error) } = (error ?? {}) as NodeJS.ErrnoException;
  if (error instanceof TargetRefusedError || error instanceof AttemptTimeoutError) return message.slice(0, MAX_LENGTH);
  if (code === undefined) return message.slice(0, MAX_LENGTH);
  const reason = REASONS[code] ?? (isAboutCertificate(code) ? 'the certificate is not accepted' : undefined);
  return (reason === undefined ? `${code}: ${message}` : `${reason} (${code})`).slice(0, MAX_LENGTH);
}

/** True for Node's codes of certificate errors (nodejs.org/api/tls.html, X509 certificate error codes). */
function isAboutCertificate(code: string): boolean {
  return /CERT|SIGNATURE|ISSUER|ALTNAME/.test(code);
}
