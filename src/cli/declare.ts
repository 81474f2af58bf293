import type { Context, GlobalFlags } from '../context.js';
import { quote } from '../contract/command-words.js';
import { readPastedId } from '../contract/pasted-id.js';
import type { Command, CommanderError } from './commander.js';

/** A command line that was understood: which command, with what. */
export interface Invocation {
  /** As it is typed: `jobs wait`. */
  path: string;
  flags: GlobalFlags;
  options: object;
  start(context: Context): Promise<void>;
}

export type Invoke = (invocation: Invocation) => Promise<void>;

type Run<O> = (context: Context, options: O) => Promise<void>;

/** A command line that was not understood, in commander's words; becomes an OcrError in Program.run. */
export class UsageMistake extends Error {
  readonly commandPath: string;

  constructor(message: string, commandPath: string) {
    super(message);
    this.commandPath = commandPath;
  }
}

/** A word where a command should stand; what was probably meant is found where it is reported. */
export class UnknownCommand extends UsageMistake {
  readonly word: string;
  readonly known: string[];

  constructor(word: string, parent: Command) {
    super(`unknown command '${word}'`, pathOf(parent));
    this.word = word;
    this.known = parent.commands.map((command) => command.name());
  }
}

/** A command with its name, arguments (`get <name>`) and one line of description. */
export function define(
  parent: Command,
  usage: string,
  description: string,
  options: { isDefault?: boolean } = {},
): Command {
  const command = parent.command(usage, options).description(description);
  overrideExit(command);
  return command;
}

/** What a noun alone does. Words after it are commands that do not exist. */
export function defineDefault(noun: Command, verb: string, description: string): Command {
  const command = define(noun, verb, description, { isDefault: true }).argument('[words...]').usage('[options]');
  command.hook('preAction', () => {
    const [word] = command.args;
    if (word !== undefined) throw new UnknownCommand(word, noun);
  });
  return command;
}

/** Whether a command is what its noun alone does. */
export function isDefaultCommand(command: Command): boolean {
  return command.registeredArguments[0]?.name() === 'words';
}

/** The action of a command: its options as the command wants them, and the import of the command when it runs. */
export function onRun<O extends object>(
  command: Command,
  invoke: Invoke,
  load: () => Promise<Run<O>>,
  read: (command: Command) => O,
): void {
  command.action(async () => {
    refuseEmpty(command);
    const options = read(command);
    await invoke({
      path: pathOf(command).slice('ocr '.length),
      flags: readFlags(command),
      options,
      start: async (context) => await (await load())(context, options),
    });
  });
}

/**
 * An empty value is a variable of a script that is not set: `--output-dir "$dir"` would write where nobody looks. Inputs
 * are answered each for itself, an empty one too.
 */
function refuseEmpty(command: Command): void {
  const { args, registeredArguments: known } = command;
  const names = args.map((_, index) => (known[index] ?? known.at(-1))?.name() ?? '');
  const unset = names.find((name, index) => args[index]?.trim() === '' && name !== 'input');
  if (unset !== undefined) throw new UsageMistake(`argument '${unset}' is empty`, pathOf(command));
  const values = command.optsWithGlobals();
  for (let owner: Command | null = command; owner !== null; owner = owner.parent) {
    const empty = owner.options.find((option) => values[option.attributeName()] === '');
    if (empty !== undefined) throw new UsageMistake(`option '${empty.flags}' is empty`, pathOf(command));
  }
}

/** commander's own way is to end the process, with 1. */
export function overrideExit(command: Command): void {
  command.exitOverride((error) => {
    if (error.code === 'commander.version') throw error;
    // Of a command that does not exist there is no help; commander would give that of the one above it.
    const isUnknown = ['commander.unknownCommand', 'commander.helpDisplayed'].includes(error.code);
    const [word] = command.args;
    if (isUnknown && command.commands.length > 0 && word !== undefined && !word.startsWith('-')) {
      throw new UnknownCommand(word, command);
    }
    throw error.code === 'commander.helpDisplayed'
      ? error
      : new UsageMistake(messageOf(error, command), pathOf(command));
  });
}

function messageOf(error: CommanderError, command: Command): string {
  if (error.code === 'commander.help') return `a command is missing after '${pathOf(command)}'`;
  const flag = /^error: unknown option '(--[^'=]+)=/.exec(error.message)?.[1];
  if (flag !== undefined && isOption(flag, command)) return `option '${flag}' takes no value`;
  // What follows the "=" of an option that nobody knows may be a secret: --token=…
  const message = error.message.replace(/^(error: unknown option '--[^=']*)=.*'/, "$1'");
  // No option has a dot in its name.
  const file = /^error: unknown option '(-[^'=]*\.\w+)'/.exec(message)?.[1];
  return file === undefined ? message : `${message}\nA file of this name: ${quote(`./${file}`)}`;
}

/** Of the command, or one that every command has. */
function isOption(flag: string, command: Command): boolean {
  return (
    command.options.some(({ long }) => long === flag) || (command.parent !== null && isOption(flag, command.parent))
  );
}

/** As it is typed: `ocr jobs wait`. */
export function pathOf(command: Command): string {
  return command.parent === null ? command.name() : `${pathOf(command.parent)} ${command.name()}`;
}

/** The flags that every command has, wherever on the command line they stand. */
export function readFlags(command: Command): GlobalFlags {
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

/**
 * Refuses these options a second time: they name what is read, done or written, of which one would be lost without a word.
 * Of others, which are settings, the last one wins, so that a command line can overrule an alias.
 */
export function takeOnce(command: Command, names: readonly string[]): void {
  for (const name of names) {
    let isGiven = false;
    command.on(`option:${name}`, () => {
      if (isGiven) throw new UsageMistake(`--${name} may be given only once`, pathOf(command));
      isGiven = true;
    });
  }
}

/** Refuses one of these options beside another: they say opposite things, of which one would be lost without a word. */
export function takeOneOf(command: Command, names: readonly string[]): void {
  let given: string | undefined;
  for (const name of names) {
    command.on(`option:${name}`, () => {
      if (given !== undefined && given !== name)
        throw new UsageMistake(`--${given} and --${name} cannot be given together`, pathOf(command));
      given = name;
    });
  }
}

/** Ids as they were given, without what comes along when one is copied. */
export function idsOf(command: Command): string[] {
  return command.args.map(readPastedId);
}

/** That of a command that takes one. */
export function idOf(command: Command): string {
  return idsOf(command)[0] ?? '';
}

/** A property that is only there where it has a value. */
export function present<T>(name: string, value: unknown): Record<string, T> {
  return value === undefined ? {} : { [name]: value as T };
}

/** The last part of a help text; every line runs as it is printed. */
export function renderExamples(lines: string[]): string {
  return `\nExamples:\n${lines.map((line) => `  ${line}`).join('\n')}\n`;
}

/** A job id for examples that run as printed. */
export const SOME_JOB = '"$(ocr extract --no-wait examples/report.pdf)"';

/** The id of a request that the service on this machine has answered, likewise. */
export const SOME_REQUEST = `"$(ocr extract --json examples/report.pdf | grep -o 'req_[0-9A-Z]*')"`;
