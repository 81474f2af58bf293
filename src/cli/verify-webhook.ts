import { parseUnixSeconds } from '../contract/time.js';
import { type Command, InvalidArgumentError } from './commander.js';
import { addHelpProse, type Invoke, onRun, present, renderExamples, takeOnce } from './declare.js';
import { collect, parseDuration } from './parse-option.js';

/** A body that other implementations of the scheme accept too, with the secret whsec_test_secret. */
const BODY = `printf '{"test": 2432232314}'`;
const SIGNATURE = 't=1614265330,v1=10c96c6fd3f320fcfc264cdc4f476c15060ede8e8a08404cea2ddf3b72544a9c';
const VERIFY = `OCR_WEBHOOK_SECRET=whsec_test_secret ocr verify-webhook --at 1614265330 --signature ${SIGNATURE}`;

export function declareVerifyWebhook(verify: Command, invoke: Invoke): void {
  verify
    .argument('[body]', 'a file with the raw body, or - for standard input')
    .option('--signature <value>', 'the X-Service-Signature header')
    .option('--delivery <file>', 'a whole recorded HTTP request, headers and body, or -')
    .option('--secret-file <file>', 'file with the signing secret; repeat it during a rotation', collect)
    .option('--tolerance <duration>', 'how far its timestamp may be from now (300s)', parseDuration)
    .option('--at <time>', 'check as of this time, Unix seconds or RFC 3339', parseTime)
    .option('--explain', 'on a mismatch, look for the usual causes');
  addHelpProse(
    verify,
    'The secret comes from OCR_WEBHOOK_SECRET or --secret-file, or you are asked for it. No flag takes it.',
  ).addHelpText('after', renderExamples([`${BODY} | ${VERIFY}`, `${BODY} | ${VERIFY} --json`]));
  takeOnce(verify, ['signature', 'delivery']);
  onRun(
    verify,
    invoke,
    async () => (await import('../commands/verify-webhook/verify-webhook.js')).verifyWebhook,
    (command) => {
      const { signature, delivery, secretFile, tolerance, at, explain } = command.opts();
      return {
        ...present<string>('body', command.args[0]),
        ...present<string>('signature', signature),
        ...present<string>('delivery', delivery),
        secretFiles: (secretFile ?? []) as string[],
        toleranceS: tolerance === undefined ? 300 : (tolerance as number) / 1000,
        ...present<number>('atS', at),
        explain: explain === true,
      };
    },
  );
}

function parseTime(text: string): number {
  const seconds = parseUnixSeconds(text);
  if (seconds === undefined)
    throw new InvalidArgumentError('It must be Unix seconds or RFC 3339: 2026-01-31T12:00:00Z');
  return seconds;
}
