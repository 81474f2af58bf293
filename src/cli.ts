import { Command, CommanderError, InvalidArgumentError, Option } from 'commander';
import type { Context, GlobalFlags } from './context.js';
import { parseDurationMs } from './contract/duration.js';

/** A command line that was understood: which command, with what. */
export interface Invocation {
  /** As it is typed: `jobs wait`. */
  path: string;
  flags: GlobalFlags;
  options: object;
  start(context: Context): Promise<void>;
}

export interface Program {
  /** Help is handed to `print`. @throws OcrError USAGE */
  run(argv: string[], print: (text: string) => Promise<void>): Promise<void>;
}

type Run<O> = (context: Context, options: O) => Promise<void>;

/** The whole command tree: names, flags, help. Every action imports its command when it runs. */
export function createProgram(invoke: (invocation: Invocation) => Promise<void>): Program {
  const printed: string[] = [];
  const program = new Command('ocr');
  overrideExit(program);
  program
    .description(
      'Reads documents: sends them to an OCR service, on this machine or elsewhere, and prints what came back.',
    )
    .configureOutput({ writeOut: (text) => printed.push(text), writeErr: () => {}, outputError: () => {} })
    .configureHelp({ showGlobalOptions: true })
    .helpCommand(false)
    .version(' ', '-V, --version', 'print the version')
    .option('--profile <name>', 'use the settings and the key of this profile')
    .option('--base-url <url>', 'address of the service')
    .option('--json', 'print JSON')
    .option('--quiet', 'no notes and no progress on standard error')
    .option('--debug', 'say on standard error what is sent and answered')
    .option('--no-color', 'no colours')
    .option('--no-input', 'never ask')
    .option('--timeout <duration>', 'longest time of a request without progress (120s)', duration);
  program.addHelpText('after', examples(['ocr extract examples/report.pdf', 'ocr help exit-codes']));

  function define(parent: Command, usage: string, description: string, options?: { isDefault?: boolean }): Command {
    const command = parent.command(usage, options ?? {}).description(description);
    overrideExit(command);
    return command;
  }

  /** The action of a command: its options as the command wants them. */
  function action<O extends object>(
    command: Command,
    load: () => Promise<Run<O>>,
    read: (command: Command) => O,
  ): void {
    command.action(async () => {
      const options = read(command);
      await invoke({
        path: pathOf(command).slice('ocr '.length),
        flags: readFlags(command),
        options,
        start: async (context) => await (await load())(context, options),
      });
    });
  }

  /** What a noun alone does. Words after it are commands that do not exist. */
  function byDefault(noun: Command, verb: string, description: string): Command {
    const command = define(noun, verb, description, { isDefault: true }).argument('[words...]').usage('[options]');
    command.hook('preAction', async () => {
      const [word] = command.args;
      if (word === undefined) return;
      const { suggest } = await import('./contract/suggest.js');
      const near = suggest(
        word,
        noun.commands.map((known) => known.name()),
      );
      const meant = near === undefined ? '' : `\n(Did you mean ${near}?)`;
      throw new UsageMistake(`unknown command '${word}'${meant}`, pathOf(noun));
    });
    return command;
  }

  // ── extract
  const extract = define(program, 'extract', 'send documents to a function, follow them, print what came back')
    .argument('<input...>', 'files, or - for standard input')
    .option('-f, --function <id>', 'what to do with the documents (TEXT_EXTRACTION)')
    .option('-a, --arg <key=value>', 'an argument of the function; may be repeated', collect, [])
    .option('--args <json|@file>', 'arguments as one JSON object')
    .addOption(new Option('--format <format>', 'of the result (text)').choices(['text', 'markdown', 'json']))
    .option('-o, --output <file>', 'write the result to a file')
    .option('--force', 'overwrite that file')
    .option('--name <name>', 'what standard input is called in the log of the service')
    .option('--no-wait', 'queue the document and print its job id')
    .option('--wait-timeout <duration>', 'how long to follow a job (300s)', duration)
    .option('--fresh', 'send anew even where the same command is unfinished')
    .addHelpText(
      'after',
      examples([
        'ocr extract examples/report.pdf',
        'ocr extract --format markdown examples/report.pdf',
        'ocr extract --json examples/report.pdf examples/scanned.pdf',
        'cat examples/report.pdf | ocr extract -',
      ]),
    );
  action(
    extract,
    async () => (await import('./commands/extract.js')).extract,
    (command) => {
      const { arg, args, format, output, wait, json: _, ...rest } = command.opts();
      return {
        inputs: command.args,
        assignments: arg as string[],
        ...(args === undefined ? {} : { argsJson: args as string }),
        ...(format === undefined || format === 'json' ? {} : { format: format as 'text' | 'markdown' }),
        ...(output === undefined ? {} : { outFile: output as string }),
        isAwaited: wait as boolean,
        ...present<string>('function', rest.function),
        ...present<string>('name', rest.name),
        ...present<number>('waitTimeoutMs', rest.waitTimeout),
        isForced: rest.force === true,
        isFresh: rest.fresh === true,
      };
    },
  );

  // ── jobs
  const jobs = define(program, 'jobs', 'follow what was submitted from this machine');
  jobs.addHelpText('after', examples(['ocr jobs', 'ocr jobs wait --all']));
  const jobsList = byDefault(jobs, 'list', 'the jobs that this machine submitted, newest first')
    .option('--unfinished', 'only those that are not done')
    .addHelpText('after', examples(['ocr jobs list', 'ocr jobs list --unfinished --json']));
  action(
    jobsList,
    async () => (await import('./commands/jobs/list.js')).list,
    (command) => ({ unfinishedOnly: command.opts().unfinished === true }),
  );
  const jobsGet = define(jobs, 'get <jobId>', 'ask the service for the state of a job').addHelpText(
    'after',
    examples([`ocr jobs get ${someJob}`, `ocr jobs get --json ${someJob}`]),
  );
  action(
    jobsGet,
    async () => (await import('./commands/jobs/get.js')).get,
    (command) => ({ jobId: command.args[0] ?? '' }),
  );
  const jobsWait = define(jobs, 'wait [jobId...]', 'follow jobs to their end and print their results')
    .option('--all', 'every unfinished job of this machine')
    .option('--wait-timeout <duration>', 'how long to follow them (300s)', duration)
    .addHelpText('after', examples([`ocr jobs wait ${someJob}`, 'ocr jobs wait --all']));
  action(
    jobsWait,
    async () => (await import('./commands/jobs/wait.js')).wait,
    (command) => {
      const { all, waitTimeout } = command.opts();
      if (command.args.length === 0 && all !== true) {
        throw new UsageMistake("missing argument 'jobId', or --all for every unfinished job", pathOf(command));
      }
      return { jobIds: command.args, isAll: all === true, ...present<number>('waitTimeoutMs', waitTimeout) };
    },
  );
  const jobsResult = define(jobs, 'result <jobId>', 'print the result of a job that is done')
    .option('-o, --output <file>', 'write it to a file')
    .option('--force', 'overwrite that file')
    .addHelpText('after', examples([`ocr jobs result --help`, `ocr jobs wait ${someJob}`]));
  action(
    jobsResult,
    async () => (await import('./commands/jobs/result.js')).result,
    (command) => ({
      jobId: command.args[0] ?? '',
      ...present<string>('outFile', command.opts().output),
      isForced: command.opts().force === true,
    }),
  );
  const jobsForget = define(jobs, 'forget <jobId...>', 'leave jobs out of the record of this machine').addHelpText(
    'after',
    examples([`ocr jobs forget ${someJob}`, `ocr jobs forget ${someJob} --json`]),
  );
  action(
    jobsForget,
    async () => (await import('./commands/jobs/forget.js')).forget,
    (command) => ({ jobIds: command.args }),
  );

  // ── functions
  const functions = define(program, 'functions', 'what the service can do with a document');
  functions.addHelpText('after', examples(['ocr functions', 'ocr functions get TEXT_EXTRACTION']));
  const functionsList = byDefault(functions, 'list', 'the functions of the service').addHelpText(
    'after',
    examples(['ocr functions list', 'ocr functions list --json']),
  );
  action(
    functionsList,
    async () => (await import('./commands/functions/list.js')).list,
    () => ({}),
  );
  const functionsGet = define(functions, 'get <function>', 'a function and its arguments').addHelpText(
    'after',
    examples(['ocr functions get TEXT_EXTRACTION', 'ocr functions get TEXT_EXTRACTION --json']),
  );
  action(
    functionsGet,
    async () => (await import('./commands/functions/get.js')).get,
    (command) => ({ id: command.args[0] ?? '' }),
  );

  // ── the service on this machine
  const local = define(program, 'local', 'the service on this machine');
  local.addHelpText('after', examples(['ocr local status', 'ocr local stop']));
  const nothing = () => ({});
  const localStatus = byDefault(local, 'status', 'whether it runs, where, and what it is doing');
  localStatus.addHelpText('after', examples(['ocr local status', 'ocr local status --json']));
  action(localStatus, async () => (await import('./commands/local/status.js')).status, nothing);
  const localStart = define(local, 'start', 'start it, or say where it runs');
  localStart.addHelpText('after', examples(['ocr local start', 'ocr local start --json']));
  action(localStart, async () => (await import('./commands/local/start.js')).start, nothing);
  const localStop = define(local, 'stop', 'stop it; unfinished jobs go on at its next start');
  localStop.addHelpText('after', examples(['ocr local stop', 'ocr local stop --json']));
  action(localStop, async () => (await import('./commands/local/stop.js')).stop, nothing);
  const localLogs = define(local, 'logs', 'print its log')
    .option('-n, --lines <count>', 'how many of the last lines (100)', count)
    .option('--follow', 'go on with what is written from now on')
    .addHelpText('after', examples(['ocr local logs', 'ocr local logs -n 20']));
  action(
    localLogs,
    async () => (await import('./commands/local/logs.js')).logs,
    (command) => ({ follow: command.opts().follow === true, ...present<number>('lines', command.opts().lines) }),
  );
  const serve = define(program, 'serve', 'run the service in the foreground, for others to call')
    .option('--host <address>', 'to listen on (127.0.0.1)')
    .option('--port <number>', 'to listen on; 0 picks one (4077)', count)
    .option('--data-dir <dir>', 'where it keeps documents, jobs and keys')
    .option('--workers <count>', 'documents read at once (the number of cores)', count)
    .option('--config <file>', 'settings as JSON')
    .option('--print-config', 'print the settings and where each came from, and end')
    .addHelpText('after', examples(['ocr serve --port 0', 'ocr serve --print-config']));
  action(
    serve,
    async () => (await import('./commands/serve.js')).serve,
    (command) => {
      const { host, port, dataDir, workers, config, printConfig } = command.opts();
      return {
        ...present<string>('host', host),
        ...present<number>('port', port),
        ...present<string>('dataDir', dataDir),
        ...present<number>('workers', workers),
        ...present<string>('config', config),
        printConfig: printConfig === true,
      };
    },
  );

  // ── help
  const help = define(program, 'help', 'help on a topic or a command')
    .argument('[topic...]', 'environment, exit-codes, output, or a command')
    .addHelpText('after', examples(['ocr help environment', 'ocr help jobs wait']));
  help.action(async () => {
    const command = help.args.length === 0 ? program : findCommand(program, help.args);
    if (command !== undefined) return command.outputHelp();
    const topic = help.args.join(' ');
    const start = async (context: Context) => {
      const { help: print } = await import('./commands/help.js');
      await print(context, { topic, commands: program.commands.map((known) => known.name()) });
    };
    await invoke({ path: 'help', flags: readFlags(help), options: { topic }, start });
  });

  return {
    async run(argv, print) {
      try {
        if (argv.length === 0) program.outputHelp();
        else await program.parseAsync(argv, { from: 'user' });
      } catch (error) {
        if (error instanceof UsageMistake) {
          const { usageError } = await import('./io/usage-error.js');
          throw usageError(error.message, error.commandPath);
        }
        if (!(error instanceof CommanderError)) throw error;
        if (error.code === 'commander.version') {
          const { readVersion } = await import('./context.js');
          return await print(`${readVersion()}\n`);
        }
      }
      await print(printed.join(''));
    },
  };
}

/** Whether the command line asks for JSON, also where it could not be understood. */
export function readJsonFlag(argv: readonly string[]): boolean {
  const end = argv.indexOf('--');
  const words = end === -1 ? argv : argv.slice(0, end);
  return words.some(
    (word, i) => word === '--json' || word === '--format=json' || (word === 'json' && words[i - 1] === '--format'),
  );
}

const someJob = '"$(ocr extract --no-wait examples/report.pdf)"';

/** A command line that was not understood, in commander's words; becomes an OcrError in Program.run. */
class UsageMistake extends Error {
  readonly commandPath: string;

  constructor(message: string, commandPath: string) {
    super(message);
    this.commandPath = commandPath;
  }
}

/** commander's own way is to end the process, with 1. */
function overrideExit(command: Command): void {
  command.exitOverride((error) => {
    const isHelp = error.code === 'commander.helpDisplayed' || error.code === 'commander.version';
    throw isHelp ? error : new UsageMistake(missingCommand(error, command), pathOf(command));
  });
}

function missingCommand(error: CommanderError, command: Command): string {
  return error.code === 'commander.help' ? `a command is missing after '${pathOf(command)}'` : error.message;
}

function pathOf(command: Command): string {
  return command.parent === null ? command.name() : `${pathOf(command.parent)} ${command.name()}`;
}

function findCommand(program: Command, words: readonly string[]): Command | undefined {
  let found: Command | undefined = program;
  for (const word of words) found = found?.commands.find((command) => command.name() === word);
  return found;
}

function readFlags(command: Command): GlobalFlags {
  const { profile, baseUrl, json, quiet, debug, color, input, timeout, format } = command.optsWithGlobals();
  return {
    json: json === true || format === 'json',
    quiet: quiet === true,
    debug: debug === true,
    color: color !== false,
    input: input !== false,
    ...present<string>('profile', profile),
    ...present<string>('baseUrl', baseUrl),
    ...present<number>('timeoutMs', timeout),
  };
}

function present<T>(name: string, value: unknown): Record<string, T> {
  return value === undefined ? {} : { [name]: value as T };
}

function examples(lines: string[]): string {
  return `\nExamples:\n${lines.map((line) => `  ${line}`).join('\n')}\n`;
}

function collect(value: string, previous: string[]): string[] {
  return [...previous, value];
}

function duration(text: string): number {
  const ms = parseDurationMs(text);
  if (ms === undefined) throw new InvalidArgumentError('Durations look like 300s, 5m or 1h.');
  return ms;
}

function count(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('It is a whole number.');
  return Number(text);
}
