/** Node's crypto without an import, which would also load Web Crypto: 5 ms, where the rest of a check takes less than one. */
const { createHmac, timingSafeEqual } = process.getBuiltinModule('node:crypto');

/** Contract, section Signature: largest distance of `t` from now, in seconds, on either side. */
const DEFAULT_TOLERANCE_S = 300;

/** Pattern of a SHA-256 in lower-case hex; the contract has no capitals. */
const DIGEST = /^[0-9a-f]{64}$/;

/** The known parts of an X-Service-Signature value. */
export interface Signature {
  /** The timestamp, unchanged because it was signed; undefined where there is none. */
  t: string | undefined;
  /** The values of all `v1`, whether they are digests or not. */
  v1: string[];
}

export type Verdict = {
  /** Seconds from `t` to now, negative for a `t` in the future; NaN where `t` is not finite. */
  ageS: number;
  isDigestRight: boolean;
  isInTolerance: boolean;
  /** Index of the first secret whose digest is among the `v1`. */
  secret: number | undefined;
};

export interface VerifyOptions {
  signature: Signature;
  /** The bytes from the wire, before any parsing. */
  rawBody: Uint8Array;
  secrets: readonly string[];
  /** Unix seconds. */
  nowS: number;
  toleranceS?: number;
}

/** Parses `t=1614265330,v1=10c9…,v1=…`, a comma separated list of key=value pairs. Unknown keys are left out. */
export function parseSignature(value: string): Signature {
  const signature: Signature = { t: undefined, v1: [] };
  for (const part of value.split(',')) {
    const at = part.indexOf('=');
    if (at === -1) continue;
    const [key, text] = [part.slice(0, at).trim(), part.slice(at + 1).trim()];
    if (key === 't') signature.t = text;
    else if (key === 'v1') signature.v1.push(text);
  }
  return signature;
}

/** Returns Unix seconds; undefined where `t` is not a finite number. */
export function readTimestamp(t: string | undefined): number | undefined {
  const seconds = t === undefined || t.trim() === '' ? Number.NaN : Number(t);
  return Number.isFinite(seconds) ? seconds : undefined;
}

/** Computes the HMAC-SHA-256, keyed with the whole signing secret, over `<t>.<raw body>`; lower-case hex. */
export function signBody(secret: string | Uint8Array, t: string, rawBody: Uint8Array): string {
  return createHmac('sha256', secret).update(`${t}.`).update(rawBody).digest('hex');
}

/** Builds the header's value for one secret, or for two while a secret is being replaced. */
export function createSignature(secrets: readonly string[], timestampS: number, rawBody: Uint8Array): string {
  const t = String(timestampS);
  return [`t=${t}`, ...secrets.map((secret) => `v1=${signBody(secret, t, rawBody)}`)].join(',');
}

export function verifySignature({
  signature,
  rawBody,
  secrets,
  nowS,
  toleranceS = DEFAULT_TOLERANCE_S,
}: VerifyOptions): Verdict {
  const { t = '', v1 } = signature;
  const timestampS = readTimestamp(t);
  const ageS = timestampS === undefined ? Number.NaN : nowS - timestampS;
  const secret = findSecret(
    secrets.map((candidate) => signBody(candidate, t, rawBody)),
    v1,
  );
  const isDigestRight = timestampS !== undefined && secret !== undefined;
  return {
    ageS,
    isDigestRight,
    isInTolerance: Math.abs(ageS) <= toleranceS,
    secret: isDigestRight ? secret : undefined,
  };
}

/** Compares all with all, so that the time does not show which one came near. */
export function findSecret(expected: readonly string[], given: readonly string[]): number | undefined {
  let found: number | undefined;
  expected.forEach((digest, index) => {
    for (const candidate of given) if (isEqual(digest, candidate)) found ??= index;
  });
  return found;
}

function isEqual(digest: string, candidate: string): boolean {
  if (!DIGEST.test(candidate)) return false;
  return timingSafeEqual(Buffer.from(digest, 'latin1'), Buffer.from(candidate, 'latin1'));
}
