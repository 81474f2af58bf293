import type { Context } from '../../context.js';
import { countOf } from '../../contract/count-of.js';
import { EXIT } from '../../contract/exit-codes.js';
import { OcrError } from '../../contract/ocr-error.js';
import { parseSignature, type Signature, type Verdict, verifySignature } from '../../contract/signature.js';
import { reasonOf } from '../../contract/system-reason.js';
import { decodeText } from '../../io/input/decode-text.js';
import { readFileOrPipe } from '../../io/input/read-file.js';
import { readStandardInput } from '../../io/input/standard-input.js';
import type { Property } from '../../io/output/output.js';
import { canPrompt } from '../../io/terminal/can-prompt.js';
import type { Attempt } from './explain.js';

export interface VerifyWebhookOptions {
  /** A file with the raw body, or `-`; undefined is standard input too. */
  body?: string;
  /** The X-Service-Signature value; the name of the header may stand before it. */
  signature?: string;
  /** A file with a whole recorded HTTP request, or `-`. */
  delivery?: string;
  secretFiles: string[];
  toleranceS: number;
  /** Unix seconds, instead of now. */
  atS?: number;
  explain: boolean;
}

interface Mismatch {
  signature: Signature;
  delivery: Delivery;
  toleranceS: number;
  /** Undefined without --explain. */
  tried: Attempt[] | undefined;
}

interface NamedSecret {
  name: string;
  value: string;
}

/** The delivery as it was given, unchecked. */
interface Delivery {
  rawBody: Uint8Array;
  signature: string;
  event: string | undefined;
  deliveryId: string | undefined;
  /** Bytes that a recorded request lacks of its Content-Length. */
  missingBytes: number;
}

/**
 * Checks the signature of a webhook delivery (contract, section Signature). No service is called.
 * @throws OcrError USAGE when there is nothing to check, SIGNATURE_INVALID (exit code 1)
 */
export async function verifyWebhook(context: Context, options: VerifyWebhookOptions): Promise<void> {
  const { output } = context;
  const delivery = await readDelivery(context, options);
  const signature = parseSignature(delivery.signature);
  const secrets = await readSecrets(context, options);
  // Signers count whole seconds.
  const nowS = options.atS ?? Math.floor(context.clock.now() / 1000);
  const { toleranceS } = options;
  const check = { signature, rawBody: delivery.rawBody, secrets: secrets.map(({ value }) => value), nowS, toleranceS };
  const verdict = verifySignature(check);
  const isValid = verdict.isDigestRight && verdict.isInTolerance;
  if (!isValid && delivery.rawBody.length === 0) throw noBody();
  const facts = {
    valid: isValid,
    ...describeEvent(delivery),
    signedAt: timeOf(nowS - verdict.ageS),
    ageSeconds: Number.isFinite(verdict.ageS) ? verdict.ageS : null,
    secret: verdict.secret === undefined ? null : (secrets[verdict.secret]?.name ?? null),
  };
  if (isValid) {
    if (output.isJson) return await output.json(facts);
    return await output.properties(rowsOf(facts));
  }
  const tried = options.explain
    ? (await import('./explain.js'))
        .explainMismatch({ ...check, verdict, missingBytes: delivery.missingBytes })
        .sort((a, b) => Number(b.matches) - Number(a.matches))
    : undefined;
  const error = explainVerdict(verdict, { signature, delivery, toleranceS, tried });
  if (output.isJson) {
    const { code, message, retryable } = error;
    await output.json({
      ...facts,
      ...(tried === undefined ? {} : { tried }),
      error: { code, message, requestId: null, retryable },
    });
  } else {
    await context.report(error);
    if (tried !== undefined && tried.length > 0) {
      await output.table(
        ['Possible cause', 'Signature'],
        tried.map(({ what, matches, seen }) => [
          what,
          matches ? 'would match' : seen ? 'cannot be tried' : 'would not match',
        ]),
      );
    }
  }
  context.exitCode = error.exitCode;
}

async function readDelivery(context: Context, options: VerifyWebhookOptions): Promise<Delivery> {
  if (options.delivery === undefined) {
    if (options.signature === undefined) {
      throw new OcrError('USAGE', 'There is no signature to check', {
        hint: 'Give the X-Service-Signature value with --signature, or the whole request with --delivery.',
      });
    }
    const rawBody = await readBytes(context, options.body ?? '-');
    return {
      rawBody,
      signature: stripHeaderName(options.signature),
      event: undefined,
      deliveryId: undefined,
      missingBytes: 0,
    };
  }
  if (options.body !== undefined) {
    throw new OcrError('USAGE', '--delivery holds the body already', { hint: 'Leave out one of the two.' });
  }
  const { parseRecordedRequest } = await import('../../io/input/recorded-request.js');
  const { headers, body, missingBytes } = parseRecordedRequest(await readBytes(context, options.delivery));
  const signature = stripHeaderName(options.signature) ?? headers.get('x-service-signature');
  if (signature === undefined) {
    throw new OcrError('USAGE', 'The delivery has no X-Service-Signature header', {
      hint: 'It begins with the headers of the request; an empty line and the body follow.',
    });
  }
  if (body === undefined) throw noBody();
  const { event, id } = { event: headers.get('x-service-event'), id: headers.get('x-service-delivery') };
  return { rawBody: body, signature, event, deliveryId: id, missingBytes };
}

/** Strips the name of a header that was copied along with its value. */
function stripHeaderName<T extends string | undefined>(header: T): T {
  return header?.replace(/^\s*x-service-signature\s*:\s*/i, '') as T;
}

async function readBytes({ io, signal }: Context, source: string): Promise<Uint8Array> {
  if (source !== '-') {
    return await readFileOrPipe(source, signal).catch((error: NodeJS.ErrnoException) => {
      signal.throwIfAborted();
      if (error.code === 'ENOENT') throw new OcrError('FILE_NOT_FOUND', `No such file: ${source}`, { cause: error });
      throw new OcrError('FILE_UNREADABLE', `Cannot read ${source}: ${reasonOf(error)}`, { cause: error });
    });
  }
  if (io.stdin.isTTY) throw noBody();
  return await readStandardInput(io.stdin, signal);
}

/** Reads the secrets from files, the environment or a prompt. No argument takes one: other users can read a command line. */
async function readSecrets(context: Context, options: VerifyWebhookOptions): Promise<NamedSecret[]> {
  const { env, flags, io, signal } = context;
  if (options.secretFiles.length > 0) {
    return (await Promise.all(options.secretFiles.map((path) => readSecretFile(path, context.signal)))).flat();
  }
  const fromEnvironment = env.OCR_WEBHOOK_SECRET?.trim();
  if (fromEnvironment) return [{ name: 'OCR_WEBHOOK_SECRET', value: fromEnvironment }];
  if (canPrompt({ flags, io })) {
    const { promptSecret } = await import('../../io/terminal/prompt-secret.js');
    const value = (await promptSecret('Signing secret', { stdin: io.stdin, stderr: io.stderr, signal })).trim();
    if (value !== '') return [{ name: 'prompt', value }];
  }
  throw new OcrError('USAGE', 'There is no signing secret to check with', {
    hint: 'Set OCR_WEBHOOK_SECRET, or name a file that holds it: --secret-file <file>',
  });
}

async function readSecretFile(path: string, signal: AbortSignal): Promise<NamedSecret[]> {
  const bytes = await readFileOrPipe(path, signal).catch((error: NodeJS.ErrnoException) => {
    signal.throwIfAborted();
    throw new OcrError('USAGE', `Cannot read the secret file ${path}: ${reasonOf(error)}`, { cause: error });
  });
  const lines = decodeText(bytes)
    .split(/\r?\n/)
    .map((line) => line.trim());
  const found = lines.flatMap((value, i) => (value === '' ? [] : [{ value, line: i + 1 }]));
  if (found.length === 0) throw new OcrError('USAGE', `The secret file ${path} is empty`);
  return found.map(({ value, line }) => ({ value, name: found.length === 1 ? path : `${path}:${line}` }));
}

function noBody(): OcrError {
  return new OcrError('USAGE', 'There is no body to check', {
    hint: 'Name a file with the raw body, or pipe it in: ocr verify-webhook --signature t=…,v1=… < body.json',
  });
}

/** Reads event and id from the body, which is signed, or else from the headers, which are not. */
function describeEvent({ rawBody, event, deliveryId }: Delivery): { event: string | null; deliveryId: string | null } {
  let body: { type?: unknown; id?: unknown } | null | undefined;
  try {
    body = JSON.parse(Buffer.from(rawBody.buffer, rawBody.byteOffset, rawBody.length).toString('utf8')) as typeof body;
  } catch {
    // A body that is not JSON may be signed too.
  }
  const text = (value: unknown) => (typeof value === 'string' ? value : undefined);
  return { event: text(body?.type) ?? event ?? null, deliveryId: text(body?.id) ?? deliveryId ?? null };
}

function rowsOf(facts: {
  event: string | null;
  deliveryId: string | null;
  ageSeconds: number | null;
  secret: string | null;
}): Property[] {
  return [
    ['Signature', 'valid'],
    ['Event', facts.event ?? 'unknown'],
    ['Delivery', facts.deliveryId ?? 'unknown'],
    ['Age', describeAge(facts.ageSeconds ?? 0)],
    ['Secret', facts.secret],
  ];
}

function describeAge(ageS: number): string {
  return ageS < 0 ? `signed ${-ageS} s ahead` : `${ageS} s`;
}

function timeOf(seconds: number): string | null {
  const time = new Date(seconds * 1000);
  return Number.isNaN(time.getTime()) ? null : time.toISOString();
}

function explainVerdict(verdict: Verdict, { signature, delivery, toleranceS, tried }: Mismatch): OcrError {
  const fail = (message: string, hint: string) => new OcrError('SIGNATURE_INVALID', message, { hint });
  const found = tried?.find(({ matches }) => matches);
  if (signature.t === undefined || signature.v1.length === 0) {
    const missing = signature.t === undefined ? 't' : 'v1';
    // It is no signature: there is nothing to check.
    return new OcrError('SIGNATURE_INVALID', `The signature has no ${missing}`, {
      hint: 'Example: t=1614265330,v1=10c96c6f…',
      exitCode: EXIT.usage,
    });
  }
  if (Number.isNaN(verdict.ageS)) {
    return fail(`The signature's t is not a number: ${signature.t}`, 'It must be the time of signing in Unix seconds.');
  }
  if (verdict.isDigestRight) {
    const age = `${Math.abs(verdict.ageS)} s ${verdict.ageS < 0 ? 'ahead' : 'old'}`;
    return fail(
      `The signature is correct, but ${age}; the tolerance is ${toleranceS} s`,
      'To check an old delivery, give the time it arrived: --at <Unix seconds or RFC 3339>',
    );
  }
  const cut = delivery.missingBytes === 0 ? '' : `, ${delivery.missingBytes} fewer than its Content-Length says`;
  const isCapital = signature.v1.some((digest) => /^[0-9A-F]{64}$/i.test(digest) && digest !== digest.toLowerCase());
  const message = `The signature does not match the body (${countOf(delivery.rawBody.length, 'byte')}${cut})${isCapital ? '; digests are lower-case' : ''}`;
  if (found !== undefined) return fail(message, `It would match but for this: ${found.what}`);
  if (delivery.missingBytes > 0 || tried?.some(({ seen }) => seen)) {
    return fail(message, 'The body was cut. Check the whole of it, as it arrived: what is missing is signed too.');
  }
  const hint = 'Is this the secret of that endpoint?';
  return fail(message, tried === undefined ? `${hint} To look for the usual causes: --explain` : hint);
}
