import { countOf } from '../../contract/count-of.js';
import { findSecret, readTimestamp, type Signature, signBody, type Verdict } from '../../contract/signature.js';

/** A usual cause of a mismatch. `matches` is true when the signature would match without it. */
export interface Attempt {
  what: string;
  matches: boolean;
  /** Set when the body shows the cause, but the original cannot be restored and tried. */
  seen?: true;
}

export interface MismatchOptions {
  signature: Signature;
  rawBody: Uint8Array;
  secrets: readonly string[];
  nowS: number;
  toleranceS: number;
  verdict: Verdict;
  /** Bytes that the body lacks of its Content-Length. */
  missingBytes: number;
}

/** Tries the usual causes of a mismatch between a signer and a verifier, one at a time; none for a signature without `t` or `v1`. */
export function explainMismatch(options: MismatchOptions): Attempt[] {
  const { signature, secrets, nowS, toleranceS, verdict, missingBytes } = options;
  const { t, v1 } = signature;
  // The missing part is the cause: no change of the body could make the signature match.
  if (t === undefined || v1.length === 0) return [];
  const body = Buffer.from(options.rawBody.buffer, options.rawBody.byteOffset, options.rawBody.length);
  // Latin-1 has one character for each byte, so that changed text encodes to the same bytes.
  const text = body.toString('latin1');

  const isSigned = (candidate: Uint8Array, keys: readonly (string | Uint8Array)[] = secrets, time = t) =>
    findSecret(
      keys.map((key) => signBody(key, time, candidate)),
      v1,
    ) !== undefined;
  const anyOf = (candidates: Iterable<string | Buffer>): boolean => {
    for (const candidate of candidates) {
      const bytes = typeof candidate === 'string' ? Buffer.from(candidate, 'latin1') : candidate;
      if (!bytes.equals(body) && isSigned(bytes)) return true;
    }
    return false;
  };
  const timestampS = readTimestamp(t);
  const truncation = describeTruncation(text, missingBytes);
  const isCompleted = anyOf(completeJson(text));
  const isNear = (seconds: number) => Math.abs(nowS - seconds) <= toleranceS;

  return [
    { what: 'a trailing newline was added', matches: anyOf([text.replace(/\r?\n$/, ''), text.trimEnd()]) },
    { what: 'a trailing newline was removed', matches: anyOf([`${text}\n`, `${text}\r\n`]) },
    { what: 'LF became CRLF', matches: anyOf([text.replaceAll('\r\n', '\n')]) },
    { what: 'CRLF became LF', matches: anyOf([text.replace(/\r?\n/g, '\r\n')]) },
    { what: 'a byte order mark was added', matches: anyOf([text.replace(/^\xef\xbb\xbf/, '')]) },
    { what: 'a byte order mark was removed', matches: anyOf([`\xef\xbb\xbf${text}`]) },
    { what: 'UTF-8 was taken for Latin-1 and encoded again', matches: anyOf([Buffer.from(body.toString(), 'latin1')]) },
    // This stands after the simpler causes: it undoes every change of white space in compact JSON.
    { what: 'the JSON was parsed and serialised again', matches: anyOf(reserialise(body.toString('utf8'))) },
    {
      what: `the body was cut${truncation}`,
      matches: isCompleted,
      ...(truncation !== '' && !isCompleted ? { seen: true } : {}),
    },
    { what: `the clock: ${describeClock(verdict.ageS)}`, matches: verdict.isDigestRight && !verdict.isInTolerance },
    {
      what: 't counts milliseconds, or was signed in them',
      matches:
        (verdict.isDigestRight && timestampS !== undefined && isNear(timestampS / 1000)) ||
        [`${t}000`, t.replace(/\d{3}$/, '')].some((time) => time !== t && isSigned(body, secrets, time)),
    },
    {
      what: 'the digest is in upper case',
      matches:
        findSecret(
          secrets.map((secret) => signBody(secret, t, body)),
          v1.map(lowerCase),
        ) !== verdict.secret,
    },
    { what: 'the secret was used without its whsec_, or decoded', matches: isSigned(body, secrets.flatMap(otherKeys)) },
  ];
}

function lowerCase(text: string): string {
  return text.toLowerCase();
}

function describeClock(ageS: number): string {
  if (Number.isNaN(ageS)) return 't is not a number';
  return ageS < 0 ? `signed ${-ageS} s ahead of it` : `signed ${ageS} s before it`;
}

/** Returns the keys of other schemes: without the prefix, or with the rest decoded. */
function otherKeys(secret: string): Array<string | Uint8Array> {
  const bare = secret.replace(/^whsec_/, '');
  return [...(bare === secret ? [] : [bare]), Buffer.from(bare, 'base64')];
}

const LAYOUTS: ReadonlyArray<{ comma: string; colon: string; indent: string }> = [
  { comma: ',', colon: ':', indent: '' },
  // Python's layout.
  { comma: ', ', colon: ': ', indent: '' },
  { comma: ',', colon: ': ', indent: '  ' },
  { comma: ',', colon: ': ', indent: '    ' },
  { comma: ',', colon: ': ', indent: '\t' },
];

/** Ways to write strings: unchanged, JavaScript's, with non-ASCII escaped (Python), with slashes escaped too (PHP). */
const STRINGS: ReadonlyArray<(literal: string) => string> = [
  (literal) => literal,
  (literal) => JSON.stringify(JSON.parse(literal)),
  (literal) => escapeBeyondAscii(JSON.stringify(JSON.parse(literal))),
  (literal) => escapeBeyondAscii(JSON.stringify(JSON.parse(literal))).replaceAll('/', '\\/'),
];

/** Writes the same JSON in other layouts. It keeps numbers and the order of keys, which parsing would not. */
function* reserialise(json: string): Generator<Buffer> {
  try {
    JSON.parse(json);
  } catch {
    return;
  }
  if (findDepth(json) > MAX_DEPTH) return;
  const tokens = json.match(/"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g) ?? [];
  for (const write of STRINGS) {
    const written = tokens.map((token) => (token.startsWith('"') ? write(token) : token));
    for (const layout of LAYOUTS) yield Buffer.from(format(written, layout));
  }
}

/** Depth of JSON whose layout is tried. Indents would make a body of 100 KB of brackets a text of many gigabytes. */
const MAX_DEPTH = 100;

/** Returns the largest number of brackets that are open at once, those in strings included. */
function findDepth(json: string): number {
  let [depth, largest] = [0, 0];
  for (const [bracket] of json.matchAll(/[[{\]}]/g)) {
    depth += bracket === '[' || bracket === '{' ? 1 : -1;
    largest = Math.max(largest, depth);
  }
  return largest;
}

function format(tokens: readonly string[], { comma, colon, indent }: (typeof LAYOUTS)[number]): string {
  let depth = 0;
  const written: string[] = [];
  const newLine = () => {
    if (indent !== '') written.push('\n', indent.repeat(depth));
  };
  tokens.forEach((token, i) => {
    if (token === '{' || token === '[') {
      depth++;
      written.push(token);
      if (tokens[i + 1] !== '}' && tokens[i + 1] !== ']') newLine();
    } else if (token === '}' || token === ']') {
      depth--;
      if (tokens[i - 1] !== '{' && tokens[i - 1] !== '[') newLine();
      written.push(token);
    } else if (token === ',') {
      written.push(comma);
      newLine();
    } else written.push(token === ':' ? colon : token);
  });
  return written.join('');
}

function escapeBeyondAscii(literal: string): string {
  return literal.replace(/[\x7f-\uffff]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

function describeTruncation(text: string, missingBytes: number): string {
  if (missingBytes > 0) return `: it lacks ${countOf(missingBytes, 'byte')} of its Content-Length`;
  return openEnds(text) === '' ? '' : ': its JSON ends too early';
}

/** Completes cut JSON. */
function completeJson(text: string): string[] {
  const ends = openEnds(text);
  return ends === '' ? [] : [text + ends, `${text + ends}\n`];
}

/** Returns the characters that close what is open at the end of JSON. */
function openEnds(text: string): string {
  if (!/^\s*[{[]/.test(text)) return '';
  const open: string[] = [];
  let isString = false;
  for (let i = 0; i < text.length; i++) {
    const char = text[i];
    if (isString) {
      if (char === '\\') i++;
      else if (char === '"') isString = false;
    } else if (char === '"') isString = true;
    else if (char === '{') open.push('}');
    else if (char === '[') open.push(']');
    else if (char === '}' || char === ']') open.pop();
  }
  return (isString ? '"' : '') + open.reverse().join('');
}
