import type { Command } from './commander.js';
import {
  define,
  defineDefault,
  type Invoke,
  onRun,
  pathOf,
  present,
  renderExamples,
  SOME_JOB,
  takeOnce,
  UsageMistake,
} from './declare.js';
import { addListFilters, readListFilters } from './list-filters.js';
import { parseDuration, parseOutput } from './parse-option.js';
import { idOf, idsOf } from './pasted-ids.js';

export function declareJobs(jobs: Command, invoke: Invoke): void {
  jobs.addHelpText('after', renderExamples(['ocr jobs', 'ocr jobs wait --all']));
  const jobsList = addListFilters(defineDefault(jobs, 'list', 'jobs submitted from this machine, newest first'))
    .option('--status <status>', 'completed, failed, queued, processing, or another that the service gives')
    .option('--failed', 'only those that failed')
    .option('--unfinished', 'only those that have not ended')
    .addHelpText('after', renderExamples(['ocr jobs list --limit 20', 'ocr jobs list --unfinished --json']));
  onRun(
    jobsList,
    invoke,
    async () => (await import('../commands/jobs/list.js')).list,
    (command) => {
      const { status, failed, unfinished } = command.opts();
      return {
        ...readListFilters(command),
        ...present<string>('status', status),
        failedOnly: failed === true,
        unfinishedOnly: unfinished === true,
      };
    },
  );
  const jobsGet = define(jobs, 'get <jobId>', 'ask the service for the state of a job').addHelpText(
    'after',
    renderExamples([`ocr jobs get ${SOME_JOB}`, `ocr jobs get --json ${SOME_JOB}`]),
  );
  onRun(
    jobsGet,
    invoke,
    async () => (await import('../commands/jobs/get.js')).get,
    (command) => ({ jobId: idOf(command) }),
  );
  const jobsWait = define(jobs, 'wait [jobId...]', 'follow jobs to their end and print their results')
    .option('--all', 'every job of this machine whose result was not fetched yet')
    .option('--wait-timeout <duration>', 'how long to follow them without any progress (300s)', parseDuration)
    .addHelpText('after', renderExamples([`ocr jobs wait ${SOME_JOB}`, 'ocr jobs wait --all']));
  onRun(
    jobsWait,
    invoke,
    async () => (await import('../commands/jobs/wait.js')).wait,
    (command) => {
      const { waitTimeout } = command.opts();
      return { ...readIdsOrAll(command), ...present<number>('waitTimeoutMs', waitTimeout) };
    },
  );
  const jobsResult = define(jobs, 'result <jobId>', 'print the result of a finished job')
    .option('-o, --output <file>', 'write it to a file', parseOutput)
    .option('--force', 'overwrite that file')
    .addHelpText('after', renderExamples([`ocr jobs result --help`, `ocr jobs wait ${SOME_JOB}`]));
  takeOnce(jobsResult, ['output']);
  onRun(
    jobsResult,
    invoke,
    async () => (await import('../commands/jobs/result.js')).result,
    (command) => ({
      jobId: idOf(command),
      ...present<string>('outFile', command.opts().output),
      isForced: command.opts().force === true,
    }),
  );
  const jobsCancel = define(jobs, 'cancel [jobId...]', 'end unfinished jobs; they fail as CANCELLED')
    .option('--all', 'every unfinished job that this machine sent to the service in use')
    .addHelpText('after', renderExamples(['ocr jobs cancel --all', 'ocr jobs cancel --all --json']));
  onRun(
    jobsCancel,
    invoke,
    async () => (await import('../commands/jobs/cancel.js')).cancel,
    (command) => readIdsOrAll(command),
  );
  const jobsDelete = define(
    jobs,
    'delete <jobId...>',
    'remove the results of finished jobs at the service, and cancel unfinished ones',
  ).addHelpText('after', renderExamples([`ocr jobs delete ${SOME_JOB}`, `ocr jobs delete ${SOME_JOB} --json`]));
  onRun(
    jobsDelete,
    invoke,
    async () => (await import('../commands/jobs/delete.js')).deleteJobs,
    (command) => ({ jobIds: idsOf(command) }),
  );
  const jobsForget = define(jobs, 'forget <jobId...>', 'remove jobs from the record of this machine').addHelpText(
    'after',
    renderExamples([`ocr jobs forget ${SOME_JOB}`, `ocr jobs forget ${SOME_JOB} --json`]),
  );
  onRun(
    jobsForget,
    invoke,
    async () => (await import('../commands/jobs/forget.js')).forget,
    (command) => ({ jobIds: idsOf(command) }),
  );
}

function readIdsOrAll(command: Command): { jobIds: string[]; isAll: boolean } {
  const isAll = command.opts().all === true;
  if (command.args.length === 0 && !isAll)
    throw new UsageMistake("missing argument 'jobId', or --all for every unfinished job", pathOf(command));
  if (command.args.length > 0 && isAll)
    throw new UsageMistake('--all is every unfinished job; it takes no jobId', pathOf(command));
  return { jobIds: idsOf(command), isAll };
}
