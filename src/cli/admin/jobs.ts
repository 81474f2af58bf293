import { JOB_STATES } from '../../contract/envelopes.js';
import { type Command, InvalidArgumentError } from '../commander.js';
import { define, defineDefault, type Invoke, present, renderExamples, SOME_JOB } from '../declare.js';
import { addListFilters, readListFilters } from './list-filters.js';
import { onAdminRun } from './on-admin-run.js';
import { ownIdOf, ownIdsOf } from './own-ids.js';

export function declareJobs(jobs: Command, invoke: Invoke): void {
  jobs.addHelpText('after', renderExamples(['ocr admin jobs', 'ocr admin jobs list --status queued']));
  const list = addListFilters(defineDefault(jobs, 'list', 'jobs of every organisation, newest first'))
    .option('--status <status>', JOB_STATES.join(', '), parseState)
    .addHelpText(
      'after',
      renderExamples(['ocr admin jobs list --status failed --since 24h', 'ocr admin jobs list --json']),
    );
  onAdminRun(
    list,
    invoke,
    async () => (await import('../../commands/admin/jobs/list.js')).list,
    (command) => ({ ...readListFilters(command), ...present<string>('status', command.opts().status) }),
  );
  const get = define(jobs, 'get <jobId>', 'everything stored about a job except its text').addHelpText(
    'after',
    renderExamples([`ocr admin jobs get ${SOME_JOB}`, `ocr admin jobs get --json ${SOME_JOB}`]),
  );
  onAdminRun(
    get,
    invoke,
    async () => (await import('../../commands/admin/jobs/get.js')).get,
    (command) => ({ jobId: ownIdOf(command) }),
  );
  const cancel = define(jobs, 'cancel <jobId...>', 'end unfinished jobs; they fail as CANCELLED').addHelpText(
    'after',
    renderExamples(['ocr admin jobs list --status queued', 'ocr admin jobs cancel --help']),
  );
  onAdminRun(
    cancel,
    invoke,
    async () => (await import('../../commands/admin/jobs/cancel.js')).cancel,
    (command) => ({ jobIds: ownIdsOf(command) }),
  );
  const remove = define(
    jobs,
    'delete <jobId...>',
    'remove the results of finished jobs for good, and cancel unfinished ones',
  ).addHelpText(
    'after',
    renderExamples([`ocr admin jobs delete ${SOME_JOB}`, `ocr admin jobs delete --json ${SOME_JOB}`]),
  );
  onAdminRun(
    remove,
    invoke,
    async () => (await import('../../commands/admin/jobs/delete.js')).deleteJobs,
    (command) => ({ jobIds: ownIdsOf(command) }),
  );
}

function parseState(text: string): string {
  if (JOB_STATES.some((state) => state === text)) return text;
  throw new InvalidArgumentError(`It must be one of ${JOB_STATES.join(', ')}.`);
}
