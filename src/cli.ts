import { Command, CommanderError } from './cli/commander.js';
import {
  define,
  HELP_LAYOUT,
  type Invoke,
  overrideExit,
  readFlags,
  renderExamples,
  UnknownCommand,
  UsageMistake,
} from './cli/declare.js';
import { parsePositiveDuration } from './cli/parse-option.js';
import type { CommandNode } from './commands/completion/command-tree.js';
import type { Context } from './context.js';

export type { Invocation } from './cli/declare.js';

export interface Program {
  /** The whole tree as data. */
  describe(): Promise<CommandNode>;
  /** Runs a command line; help goes to `print`. @throws OcrError USAGE */
  run(argv: string[], print: (text: string) => Promise<void>): Promise<void>;
}

type Declare = (command: Command, invoke: Invoke, describe: () => Promise<CommandNode>) => void;

/** The commands in `ocr --help`. The flags of each are declared when its name is on the command line. */
const COMMANDS: ReadonlyArray<readonly [name: string, description: string, load: () => Promise<Declare>]> = [
  [
    'extract',
    'send documents to a function and print the results',
    async () => (await import('./cli/extract.js')).declareExtract,
  ],
  [
    'watch',
    'send the documents of directories as they appear or change',
    async () => (await import('./cli/watch.js')).declareWatch,
  ],
  ['open', 'show a document beside its text in the browser', async () => (await import('./cli/open.js')).declareOpen],
  ['jobs', 'follow the jobs submitted from this machine', async () => (await import('./cli/jobs.js')).declareJobs],
  [
    'functions',
    'what the service can do with a document',
    async () => (await import('./cli/functions.js')).declareFunctions,
  ],
  [
    'languages',
    'languages of scans on this machine, and how to install more',
    async () => (await import('./cli/languages.js')).declareLanguages,
  ],
  [
    'requests',
    'what was sent and what came of it, for support',
    async () => (await import('./cli/requests.js')).declareRequests,
  ],
  [
    'verify-webhook',
    'check the signature of a webhook delivery, offline',
    async () => (await import('./cli/verify-webhook.js')).declareVerifyWebhook,
  ],
  ['usage', 'what your organisation has used of its plan', async () => (await import('./cli/usage.js')).declareUsage],
  ['auth', 'log in to a service, check its key, log out', async () => (await import('./cli/auth.js')).declareAuth],
  ['config', 'settings and profiles', async () => (await import('./cli/config.js')).declareConfig],
  ['local', 'the service on this machine', async () => (await import('./cli/local.js')).declareLocal],
  [
    'portal',
    'the pages of the service on this machine, in the browser',
    async () => (await import('./cli/portal.js')).declarePortal,
  ],
  [
    'serve',
    'run the service in the foreground, for others to call',
    async () => (await import('./cli/serve.js')).declareServe,
  ],
  [
    'webhooks',
    'events of the service as they happen, for developing a receiver',
    async () => (await import('./cli/webhooks.js')).declareWebhooks,
  ],
  [
    'mcp',
    'a server of the Model Context Protocol, for assistants',
    async () => (await import('./cli/mcp.js')).declareMcp,
  ],
  [
    'admin',
    'organisations, keys, plans and logs of a service that you run',
    async () => (await import('./cli/admin.js')).declareAdmin,
  ],
  [
    'completion',
    'print a completion script for a shell',
    async () => (await import('./cli/completion.js')).declareCompletion,
  ],
];

/**
 * Creates the command tree: names, flags, help. Every command is imported when it runs. Help is as wide as the terminal of
 * `helpWidth` columns, or 80 columns without one.
 */
export function createProgram(invoke: Invoke, helpWidth?: number): Program {
  const printed: string[] = [];
  const program = new Command('ocr');
  overrideExit(program);
  program
    .description(
      'Turns documents into text: sends them to an OCR service, on this machine or elsewhere, and prints the results.',
    )
    .configureOutput({
      writeOut: (text) => printed.push(text),
      writeErr: () => {},
      outputError: () => {},
      getOutHelpWidth: () => helpWidth as number,
    })
    .configureHelp({ ...HELP_LAYOUT, subcommandTerm: termOf })
    .helpCommand(false)
    .version(' ', '-V, --version', 'print the version')
    .option('--profile <name>', 'use the settings and the key of this profile')
    .option('--base-url <url>', 'address of the service')
    .option('--json', 'print JSON')
    .option('--quiet', 'no notes or progress on standard error')
    .option('--debug', 'log requests and answers to standard error')
    .option('--no-color', 'no colours')
    .option('--no-input', 'never prompt')
    .option('--timeout <duration>', 'how long a request may go without progress (120s)', parsePositiveDuration)
    .addHelpText('after', renderExamples(['ocr extract file.pdf', 'ocr help exit-codes']));
  for (const [name, description] of COMMANDS) define(program, name, description);

  const help = define(program, 'help', 'help on a topic or a command')
    .argument('[topic...]', 'environment, exit-codes, output, or a command')
    .addHelpText('after', renderExamples(['ocr help environment', 'ocr help jobs wait']));
  help.action(async () => {
    const command = findCommand(program, help.args);
    if (command !== undefined) return command.outputHelp();
    refuseUnknown(program, help.args);
    const topic = help.args.join(' ');
    const start = async (context: Context) => {
      const { help: print } = await import('./commands/help.js');
      await print(context, { topic, commands: program.commands.map((known) => known.name()) });
    };
    await invoke({ path: 'help', flags: readFlags(help), options: { topic }, start });
  });

  const declared = new Set<string>();
  async function declare(isWanted: (name: string) => boolean): Promise<void> {
    for (const [name, , load] of COMMANDS) {
      const command = isWanted(name) && !declared.has(name) ? findCommand(program, [name]) : undefined;
      if (command === undefined) continue;
      declared.add(name);
      (await load())(command, invoke, describe);
    }
  }

  /** Finds the command that was meant by an unknown word; it may be in any group. */
  async function findMeant(mistake: UnknownCommand): Promise<string | undefined> {
    await declare(() => true);
    const { suggestCommand } = await import('./cli/suggest-command.js');
    return suggestCommand(mistake, program.commands);
  }

  async function describe(): Promise<CommandNode> {
    await declare(() => true);
    const { describeTree } = await import('./cli/describe-tree.js');
    return describeTree(program);
  }

  return {
    describe,
    async run(argv, print) {
      await declare((name) => argv.includes(name));
      try {
        if (argv.length === 0) program.outputHelp();
        else await program.parseAsync(argv, { from: 'user' });
      } catch (error) {
        if (error instanceof UsageMistake) {
          const { usageError } = await import('./io/messages/usage-error.js');
          const suggestion = error instanceof UnknownCommand ? await findMeant(error) : undefined;
          throw usageError(
            `${error.message}${suggestion === undefined ? '' : `\n(Did you mean ${suggestion}?)`}`,
            error.commandPath,
          );
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

/** True when a command line asks for JSON, even one with a mistake. */
export function readJsonFlag(argv: readonly string[]): boolean {
  const end = argv.indexOf('--');
  const words = end === -1 ? argv : argv.slice(0, end);
  if (words.includes('--json')) return true;
  const isFormat = words.some(
    (word, i) => word === '--format=json' || (word === 'json' && words[i - 1] === '--format'),
  );
  // The format is that of the files then.
  return isFormat && !words.some((word) => /^(?:-o|--output(?:-dir)?(?:=|$))/.test(word));
}

/** Returns a command's term in a list of commands: a top-level name alone, others with their arguments. */
function termOf(command: Command): string {
  if (command.parent?.parent === null) return command.name();
  const names = command.registeredArguments.map((argument) => {
    const name = `${argument.name()}${argument.variadic ? '...' : ''}`;
    return argument.required ? ` <${name}>` : ` [${name}]`;
  });
  return command.name() + (command.usage() === '[options]' ? '' : names.join(''));
}

/** Refuses an unknown word below a group of commands; a word alone may be a topic. @throws UnknownCommand */
function refuseUnknown(program: Command, words: readonly string[]): void {
  const at = words.findIndex((_, i) => findCommand(program, words.slice(0, i + 1)) === undefined);
  const group = at < 1 ? undefined : findCommand(program, words.slice(0, at));
  const word = words[at];
  if (group !== undefined && group.commands.length > 0 && word !== undefined) throw new UnknownCommand(word, group);
}

/** Finds a command by its words; no words are the program itself. */
function findCommand(program: Command, words: readonly string[]): Command | undefined {
  let found: Command | undefined = program;
  for (const word of words) found = found?.commands.find((command) => command.name() === word);
  return found;
}
