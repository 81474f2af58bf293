/**
 * Error codes of the service: the contract's table (section Errors) and our additions to it. `status` is the HTTP
 * status; `retryable` is true when the same request may succeed later.
 */
export const SERVICE_ERRORS = {
  UNAUTHORIZED: { status: 401, retryable: false, meaning: 'Missing, unknown, revoked or expired API key' },
  FORBIDDEN: { status: 403, retryable: false, meaning: 'The key or the plan does not include this function' },
  PAYMENT_REQUIRED: { status: 402, retryable: false, meaning: 'Subscription expired, canceled or suspended' },
  QUOTA_EXCEEDED: { status: 429, retryable: true, meaning: 'Document allowance of the period exhausted' },
  RATE_LIMITED: { status: 429, retryable: true, meaning: 'Too many requests in the current window' },
  INVALID_ARGS: { status: 400, retryable: false, meaning: 'Malformed arguments or upload, or a missing file' },
  UNSUPPORTED_MEDIA_TYPE: { status: 415, retryable: false, meaning: 'The function does not accept this type of file' },
  PAGE_LIMIT_EXCEEDED: { status: 400, retryable: false, meaning: 'More pages than the function or the plan allows' },
  PROVIDER_UNAVAILABLE: { status: 503, retryable: true, meaning: 'A backing store or vendor is unreachable' },
  INTERNAL: { status: 500, retryable: false, meaning: 'A fault of the service; quote the requestId to support' },
  AMBIGUOUS_ID: { status: 400, retryable: false, meaning: 'The shortened id is the beginning of several' },
  NOT_FOUND: { status: 404, retryable: false, meaning: 'No such function, job or path' },
  METHOD_NOT_ALLOWED: { status: 405, retryable: false, meaning: 'The path does not have this method' },
  PAYLOAD_TOO_LARGE: { status: 413, retryable: false, meaning: 'The file is larger than the service takes' },
  INVALID_DOCUMENT: { status: 400, retryable: false, meaning: 'Encrypted, damaged beyond reading, or without pages' },
  IDEMPOTENCY_CONFLICT: { status: 409, retryable: false, meaning: 'The Idempotency-Key was used for something else' },
  CANCELLED: { status: 409, retryable: false, meaning: 'The job was cancelled before it was done' },
  EXPIRED: { status: 410, retryable: false, meaning: 'The result is no longer kept' },
} as const satisfies Record<string, { status: number; retryable: boolean; meaning: string }>;

export type ServiceErrorCode = keyof typeof SERVICE_ERRORS;

export function isServiceErrorCode(code: string): code is ServiceErrorCode {
  return Object.hasOwn(SERVICE_ERRORS, code);
}
