/** Largest distance of `t` from now, in seconds, on either side, as the contract of the service says. */
const TOLERANCE_S = 300;

interface Delivery {
  body: string;
  /** The header X-Service-Signature. */
  header: string;
  secret: string;
  /** Unix seconds. */
  nowS: number;
}

/** A step of the check; undefined where it could not be made. */
interface Step {
  name: 'Form' | 'Age' | 'Digest';
  isRight: boolean | undefined;
  text: string;
}

/** Says of each step of a check how it ends: the form of the header, the age of its time, the digest. */
export async function explain(
  delivery: Delivery,
): Promise<{ isRight: boolean; summary: string; steps: readonly Step[] }> {
  const { t, digests } = parse(delivery.header);
  const seconds = t === undefined || t === '' ? Number.NaN : Number(t);
  const lack = !Number.isFinite(seconds)
    ? 'There is no t=, or it is no number.'
    : digests.length === 0
      ? 'There is no v1= of 64 lower-case hexadecimal digits.'
      : undefined;
  const form: Step = {
    name: 'Form',
    isRight: lack === undefined,
    text: lack ?? `A time and ${digests.length === 1 ? 'one digest' : `${digests.length} digests`}.`,
  };
  const steps = [form, explainAge(seconds, delivery.nowS), await explainDigest(delivery, t, digests)];
  const failed = steps.filter(({ isRight }) => isRight !== true);
  return {
    isRight: failed.length === 0,
    summary:
      failed.length === 0 ? 'The signature is right.' : `It fails: ${failed.map(({ name }) => name).join(', ')}.`,
    steps,
  };
}

/** Reads `t=1614265330,v1=10c9…,v1=…`. Unknown parts are left out. */
function parse(header: string): { t: string | undefined; digests: string[] } {
  const pairs = header
    .replace(/^\s*x-service-signature:/i, '')
    .split(',')
    .map((part) => part.split('=').map((text) => text.trim()));
  const valuesOf = (key: string) => pairs.filter(([name]) => name === key).map(([, value = '']) => value);
  return { t: valuesOf('t').at(-1), digests: valuesOf('v1').filter((value) => /^[0-9a-f]{64}$/.test(value)) };
}

function explainAge(seconds: number, nowS: number): Step {
  if (!Number.isFinite(seconds)) return { name: 'Age', isRight: undefined, text: 'Without a time there is no age.' };
  const ageS = Math.round(nowS - seconds);
  const isRight = Math.abs(nowS - seconds) <= TOLERANCE_S;
  const distance = ageS < 0 ? `${-ageS} s in the future` : `${ageS} s old`;
  return { name: 'Age', isRight, text: `${distance}; receivers take ${TOLERANCE_S} s on either side.` };
}

async function explainDigest(
  { body, secret }: Delivery,
  t: string | undefined,
  digests: readonly string[],
): Promise<Step> {
  if (t === undefined || secret === '')
    return {
      name: 'Digest',
      isRight: undefined,
      text: `Type ${secret === '' ? 'the secret' : 'the header'} to check it.`,
    };
  const bodies = [
    { text: body, note: undefined },
    { text: body.trimEnd(), note: 'without the white space at its end' },
    { text: `${body}\n`, note: 'with a newline at its end' },
  ];
  for (const { text, note } of bodies) {
    if (!digests.includes(await sign(secret, `${t}.${text}`))) continue;
    if (note === undefined) return { name: 'Digest', isRight: true, text: 'It is of this body and this secret.' };
    return { name: 'Digest', isRight: false, text: `It is of this body ${note}.` };
  }
  const expected = await sign(secret, `${t}.${body}`);
  return {
    name: 'Digest',
    isRight: false,
    text: `This body and this secret give ${expected}: one of the two is another.`,
  };
}

async function sign(secret: string, text: string): Promise<string> {
  const encoder = new TextEncoder();
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const key = await crypto.subtle.importKey('raw', encoder.encode(secret), algorithm, false, ['sign']);
  const digest = await crypto.subtle.sign('HMAC', key, encoder.encode(text));
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
