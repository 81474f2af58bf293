import { suggest } from '../contract/suggest.js';
import { InputError } from './errors.js';
import type { CallOptions, ClientOptions, ExtractOptions, VerifyWebhookOptions, WaitOptions } from './types.js';

/** Every name of an options type: the compiler refuses a missing or a surplus one. */
type NamesOf<Options> = Record<keyof Options, true>;

const CALL: NamesOf<CallOptions> = { signal: true };
const WAIT: NamesOf<WaitOptions> = { ...CALL, onProgress: true, waitTimeoutMs: true };
const CLIENT: NamesOf<ClientOptions> = { baseUrl: true, apiKey: true, timeoutMs: true };
const EXTRACT: NamesOf<ExtractOptions> = {
  function: true,
  args: true,
  name: true,
  wait: true,
  idempotencyKey: true,
  ...WAIT,
};
const VERIFY: NamesOf<VerifyWebhookOptions> = { body: true, signature: true, secrets: true, toleranceSeconds: true };

const OPTIONS = {
  createClient: CLIENT,
  verifyWebhook: VERIFY,
  extract: EXTRACT,
  'jobs.get': CALL,
  'jobs.wait': WAIT,
  'jobs.cancel': CALL,
  'functions.list': CALL,
  'requests.get': CALL,
};

/** Refuses options that a call does not have: without TypeScript nothing else does. @throws InputError USAGE */
export function refuseUnknownOptions(call: keyof typeof OPTIONS, options: object): void {
  const known = Object.keys(OPTIONS[call]);
  const unknown = Object.keys(options).find((name) => !known.includes(name));
  if (unknown === undefined) return;
  const near = suggest(unknown, known);
  const list = `it has ${known.join(', ')}${call === 'extract' ? '; arguments of the function go into args' : ''}`;
  const remedy = near === undefined ? list : `did you mean "${near}"?`;
  throw new InputError('USAGE', `${call} has no option "${unknown}": ${remedy}`);
}
