/** A place in a bucket, and how its server is reached. */
export interface S3Location {
  bucket: string;
  /** Beginning of all keys: empty, or ending in `/`. */
  prefix: string;
  /** URL of the bucket, without a slash at the end. */
  bucketUrl: string;
  region: string;
  accessKeyId: string;
  secretAccessKey: string;
  sessionToken: string | undefined;
}

const BUCKET = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/;
/** Characters of keys that every server and every signature takes as they are. */
const PREFIX = /^[\w.-]+(?:\/[\w.-]+)*$/;
const OPTIONS = ['endpoint', 'region'];
const EXAMPLE = 's3://bucket/prefix?endpoint=https://host:port&region=name';

/** The parts of `s3://bucket/prefix?endpoint=…&region=…`. */
export interface S3Address {
  bucket: string;
  prefix: string;
  endpoint: URL | undefined;
  region: string | undefined;
}

/** @throws Error for another URL; it does not repeat it, since it may hold a secret */
export function parseS3Url(text: string): S3Address {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol !== 's3:') throw new Error(`expected ${EXAMPLE}`);
  if (url.username !== '' || url.password !== '')
    throw new Error('it must not hold a key: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY');
  const { hostname: bucket, searchParams } = url;
  if (!BUCKET.test(bucket))
    throw new Error(`${JSON.stringify(bucket)} cannot be the name of a bucket; expected ${EXAMPLE}`);
  const prefix = url.pathname.replace(/^\/|\/$/g, '');
  if (prefix !== '' && !PREFIX.test(prefix))
    throw new Error(`the prefix ${JSON.stringify(prefix)} may have letters, digits, "_", "-", "." and "/" only`);
  const unknown = [...searchParams.keys()].find((name) => !OPTIONS.includes(name));
  if (unknown !== undefined) throw new Error(`it has an option that does not exist: ${unknown}; expected ${EXAMPLE}`);
  return {
    bucket,
    prefix: prefix === '' ? '' : `${prefix}/`,
    endpoint: parseEndpoint(searchParams.get('endpoint')),
    region: searchParams.get('region') ?? undefined,
  };
}

/**
 * Finds region, endpoint and keys where AWS' own tools look for them; the URL goes before the environment.
 * @throws Error naming the variable that is missing
 */
export function locateBucket(text: string, env: NodeJS.ProcessEnv): S3Location {
  const { bucket, prefix, ...given } = parseS3Url(text);
  const endpoint = given.endpoint ?? parseEndpoint(env.AWS_ENDPOINT_URL_S3 || env.AWS_ENDPOINT_URL);
  const region = given.region || env.AWS_REGION || env.AWS_DEFAULT_REGION || (endpoint && 'us-east-1');
  if (region === undefined) throw new Error('AWS_REGION is not set, and the URL has neither a region nor an endpoint');
  const accessKeyId = env.AWS_ACCESS_KEY_ID;
  const secretAccessKey = env.AWS_SECRET_ACCESS_KEY;
  if (!accessKeyId || !secretAccessKey)
    throw new Error(`${accessKeyId ? 'AWS_SECRET_ACCESS_KEY' : 'AWS_ACCESS_KEY_ID'} is not set`);
  const sessionToken = env.AWS_SESSION_TOKEN || undefined;
  return {
    bucket,
    prefix,
    bucketUrl: urlOf(bucket, region, endpoint),
    region,
    accessKeyId,
    secretAccessKey,
    sessionToken,
  };
}

function parseEndpoint(text: string | undefined | null): URL | undefined {
  if (!text) return undefined;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.username !== '' || url.search !== '')
    throw new Error('the endpoint must be an address like https://host:port');
  return url;
}

/** Buckets are parts of the path at other servers than AWS'. There a name with dots would not fit the certificate. */
function urlOf(bucket: string, region: string, endpoint: URL | undefined): string {
  if (endpoint !== undefined) return `${endpoint.origin}${endpoint.pathname.replace(/\/$/, '')}/${bucket}`;
  const host = `s3.${region}.amazonaws.com${region.startsWith('cn-') ? '.cn' : ''}`;
  return bucket.includes('.') ? `https://${host}/${bucket}` : `https://${bucket}.${host}`;
}
