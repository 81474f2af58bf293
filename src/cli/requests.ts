import type { Command } from './commander.js';
import {
  define,
  defineDefault,
  type Invoke,
  onRun,
  pathOf,
  present,
  renderExamples,
  SOME_REQUEST,
  UsageMistake,
} from './declare.js';
import { addListFilters, readListFilters } from './list-filters.js';
import { type InputFilter, parseInputFilter } from './parse-option.js';
import { idOf, idsOf } from './pasted-ids.js';

export function declareRequests(requests: Command, invoke: Invoke): void {
  requests.addHelpText('after', renderExamples(['ocr requests', 'ocr requests list --failed --since 7d']));
  const list = addListFilters(
    defineDefault(requests, 'list', 'what this machine sent, newest first'),
    '30 on a terminal, else all',
  )
    .option('--status <status>', 'interrupted, a job status (completed, failed, queued …) or an HTTP status')
    .option('--failed', 'only those that failed')
    .option(
      '--input <part>',
      'only inputs with this in their name, in any case, or sha256:… with the beginning of a hash',
      parseInputFilter,
    )
    .option('--follow', 'go on, and print each request when something is known of it')
    .option('--redact', 'leave out names and hosts')
    .addHelpText(
      'after',
      renderExamples([
        'ocr requests list --since 24h --limit 20',
        'ocr requests list --failed --json',
        'ocr requests list --input report',
      ]),
    );
  onRun(
    list,
    invoke,
    async () => (await import('../commands/requests/list.js')).list,
    (command) => {
      const { status, failed, redact, input, follow } = command.opts();
      return {
        ...readListFilters(command),
        ...present<InputFilter>('input', input),
        isFollowing: follow === true,
        ...present<string>('status', status),
        failedOnly: failed === true,
        redact: redact === true,
      };
    },
  );
  const get = define(requests, 'get <requestId>', 'everything known about a request, for support')
    .option('--redact', 'leave out names and hosts, for pasting elsewhere')
    .addHelpText(
      'after',
      renderExamples([`ocr requests get ${SOME_REQUEST}`, `ocr requests get --redact --json ${SOME_REQUEST}`]),
    );
  onRun(
    get,
    invoke,
    async () => (await import('../commands/requests/get.js')).get,
    (command) => ({ requestId: idOf(command), redact: command.opts().redact === true }),
  );
  const forget = define(requests, 'forget [requestId...]', 'remove requests from the record of this machine')
    .option('--interrupted', 'every upload that was interrupted')
    .addHelpText(
      'after',
      renderExamples([`ocr requests forget ${SOME_REQUEST}`, 'ocr requests forget --interrupted --json']),
    );
  onRun(
    forget,
    invoke,
    async () => (await import('../commands/requests/forget.js')).forget,
    (command) => {
      const areInterrupted = command.opts().interrupted === true;
      if (command.args.length === 0 && !areInterrupted) {
        throw new UsageMistake("missing argument 'requestId', or --interrupted", pathOf(command));
      }
      return { requestIds: idsOf(command), areInterrupted };
    },
  );
}
