/** The error that an answer of an S3 server reports. */
export interface S3Refusal {
  status: number;
  /** `SlowDown`, `AccessDenied`; empty where the answer has none. */
  code: string;
  message: string;
}

const TRANSIENT_STATUSES = new Set([408, 429, 500, 502, 503, 504]);
/** Codes that another attempt may mend, whatever their status. The last two say that the bytes changed on their way. */
const TRANSIENT_CODES = new Set([
  'InternalError',
  'OperationAborted',
  'RequestTimeout',
  'ServiceUnavailable',
  'SlowDown',
  'BadDigest',
  'XAmzContentSHA256Mismatch',
]);

/** True when another attempt may succeed. */
export function isTransient({ status, code }: S3Refusal): boolean {
  return TRANSIENT_STATUSES.has(status) || TRANSIENT_CODES.has(code);
}

const ADVICE: Record<string, string> = {
  AccessDenied: 'allow this key s3:GetObject, s3:PutObject, s3:DeleteObject and s3:ListBucket',
  AuthorizationHeaderMalformed: 'correct AWS_REGION',
  ExpiredToken: 'set a new AWS_SESSION_TOKEN',
  InvalidAccessKeyId: 'correct AWS_ACCESS_KEY_ID',
  InvalidToken: 'correct AWS_SESSION_TOKEN',
  NoSuchBucket: 'create the bucket, or correct blobsUrl',
  PermanentRedirect: 'correct AWS_REGION',
  RequestTimeTooSkewed: 'set the clocks of this machine, of the database and of the storage',
  SignatureDoesNotMatch: 'correct AWS_SECRET_ACCESS_KEY',
};

/** Returns what an operator can do; undefined where only waiting helps. */
export function adviceOn({ code, status }: S3Refusal): string | undefined {
  return ADVICE[code] ?? (status === 301 ? ADVICE.PermanentRedirect : undefined);
}

/** Reads the error of an answer. Not every server and proxy sends one. */
export function readRefusal(status: number, body: string): S3Refusal {
  const read = (name: string) => decodeXml(new RegExp(`<${name}>([^<]*)</${name}>`).exec(body)?.[1] ?? '');
  return { status, code: read('Code'), message: read('Message').slice(0, 200) };
}

const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

export function decodeXml(text: string): string {
  return text.replace(/&(\w+);/g, (whole, name: string) => ENTITIES[name] ?? whole);
}
