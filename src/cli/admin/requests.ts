import { JOB_STATES } from '../../contract/envelopes.js';
import { type Command, InvalidArgumentError } from '../commander.js';
import { define, defineDefault, type Invoke, present, renderExamples, SOME_REQUEST } from '../declare.js';
import { parseSha256 } from '../parse-option.js';
import { addListFilters, readListFilters } from './list-filters.js';
import { onAdminRun } from './on-admin-run.js';
import { ownIdOf, parseOwnId } from './own-ids.js';

export function declareRequests(requests: Command, invoke: Invoke): void {
  requests.addHelpText('after', renderExamples(['ocr admin requests', 'ocr admin requests list --failed --since 24h']));
  const list = addListFilters(
    defineDefault(requests, 'list', 'calls of every organisation, newest first, including refused ones'),
  )
    .option('--status <status>', `an HTTP status, or one of the job: ${JOB_STATES.join(', ')}`, parseStatus)
    .option(
      '--key <key>',
      'only this key: its id (key_…), its last four characters, or all of it; portal for calls made there',
      parseOwnId,
    )
    .option('--failed', 'only those that were refused, or whose job failed')
    .option('--file <part>', 'only files with this in their name, in any case')
    .option('--sha256 <hash>', 'only this file, by its SHA-256 or the beginning of it', parseSha256)
    .option('--follow', 'go on, and print each call when it is answered')
    .addHelpText(
      'after',
      renderExamples([
        'ocr admin requests list --since 1h',
        'ocr admin requests list --failed --limit 20 --json',
        'ocr admin requests list --file invoice',
      ]),
    );
  onAdminRun(
    list,
    invoke,
    async () => (await import('../../commands/admin/requests/list.js')).list,
    (command) => {
      const { status, key, failed, file, sha256, follow } = command.opts();
      return {
        ...readListFilters(command),
        ...present<number>('httpStatus', typeof status === 'number' ? status : undefined),
        ...present<string>('jobStatus', typeof status === 'string' ? status : undefined),
        ...present<string>('key', key),
        failedOnly: failed === true,
        ...present<string>('fileName', file),
        ...present<string>('sha256', sha256),
        isFollowing: follow === true,
      };
    },
  );
  const get = define(requests, 'get <requestId>', 'everything the request log has about a call').addHelpText(
    'after',
    renderExamples([`ocr admin requests get ${SOME_REQUEST}`, `ocr admin requests get --json ${SOME_REQUEST}`]),
  );
  onAdminRun(
    get,
    invoke,
    async () => (await import('../../commands/admin/requests/get.js')).get,
    (command) => ({ requestId: ownIdOf(command) }),
  );
}

function parseStatus(text: string): number | string {
  if (/^[1-5]\d\d$/.test(text)) return Number(text);
  if (JOB_STATES.some((state) => state === text)) return text;
  throw new InvalidArgumentError(`It must be an HTTP status such as 429, or one of ${JOB_STATES.join(', ')}.`);
}
