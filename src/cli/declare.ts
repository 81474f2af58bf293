import type * as Commander from 'commander';
import type { Context, GlobalFlags } from '../context.js';
import { quote } from '../contract/command-words.js';
import type { Command, CommanderError } from './commander.js';

/** A parsed command line: the command and its options. */
export interface Invocation {
  /** The words of the command: `jobs wait`. */
  path: string;
  flags: GlobalFlags;
  options: object;
  start(context: Context): Promise<void>;
}

export type Invoke = (invocation: Invocation) => Promise<void>;

type Run<O> = (context: Context, options: O) => Promise<void>;

/** A command line with a mistake, in commander's words. Program.run turns it into an OcrError. */
export class UsageMistake extends Error {
  readonly commandPath: string;

  constructor(message: string, commandPath: string) {
    super(message);
    this.commandPath = commandPath;
  }
}

/** A word that is no command. The suggestion is added when it is reported. */
export class UnknownCommand extends UsageMistake {
  readonly word: string;
  readonly known: string[];

  constructor(word: string, parent: Command) {
    super(`unknown command '${word}'`, pathOf(parent));
    this.word = word;
    this.known = parent.commands.map((command) => command.name());
  }
}

/** Defines a command with its name, arguments (`get <name>`) and one line of description. */
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

/** Defines the command that a noun alone runs. Words after the noun are commands that do not exist. */
export function defineDefault(noun: Command, verb: string, description: string): Command {
  const command = define(noun, verb, description, { isDefault: true }).argument('[words...]').usage('[options]');
  command.hook('preAction', () => {
    const [word] = command.args;
    if (word !== undefined) throw new UnknownCommand(word, noun);
  });
  return command;
}

/** True when the noun alone runs this command. */
export function isDefaultCommand(command: Command): boolean {
  return command.registeredArguments[0]?.name() === 'words';
}

/** Declares the action of a command: `read` turns flags into its options, `load` imports it when it runs. */
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
 * Refuses empty values, which come from unset variables of a script: `--output-dir "$dir"` would write where nobody looks.
 * Inputs are exempt: each one, even an empty one, gets an error of its own.
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

/** Makes commander throw; by default it ends the process with code 1. */
export function overrideExit(command: Command): void {
  command.exitOverride((error) => {
    if (error.code === 'commander.version') throw error;
    // An unknown command has no help; commander would print its parent's.
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
  const choice = /^error: command-argument value '(.*)' is invalid for argument '(.+)'\. Allowed choices are (.+)\.$/s;
  const [, value, argument, choices] = choice.exec(error.message) ?? [];
  if (choices !== undefined) return `${argument} is one of ${choices}, not '${value}'`;
  // The value of an unknown option may be a secret: --token=…
  const message = error.message.replace(/^(error: unknown option '--[^=']*)=.*'/, "$1'");
  // No option has a dot in its name: the word is probably a file.
  const file = /^error: unknown option '(-[^'=]*\.\w+)'/.exec(message)?.[1];
  if (file !== undefined) return `${message}\nA file of this name: ${quote(`./${file}`)}`;
  // Commander suggests an option of a like name; without one, the word may be an argument of a function.
  const name = /^error: unknown option '--([a-z]\w*)'$/.exec(message)?.[1];
  const takesArguments = name !== undefined && isOption('--arg', command);
  return takesArguments ? `${message}\nAn argument of the function: -a ${name}=<value>` : message;
}

/** True for an option of the command or of one above it. */
function isOption(flag: string, command: Command): boolean {
  return (
    command.options.some(({ long }) => long === flag) || (command.parent !== null && isOption(flag, command.parent))
  );
}

/** Returns the words of a command: `ocr jobs wait`. */
export function pathOf(command: Command): string {
  return command.parent === null ? command.name() : `${pathOf(command.parent)} ${command.name()}`;
}

/** Reads the flags of every command, wherever they stand on the command line. */
export function readFlags(command: Command): GlobalFlags {
  const { profile, baseUrl, json, quiet, debug, color, input, timeout, ...own } = command.optsWithGlobals();
  return {
    json: json === true || (own.format === 'json' && !writesFiles(own)),
    quiet: quiet === true,
    debug: debug === true,
    color: color !== false,
    input: input !== false,
    ...present<string>('profile', profile),
    ...present<string>('baseUrl', baseUrl),
    ...present<number>('timeoutMs', timeout),
  };
}

/** True when results go to files: `--format json` is about them then. */
function writesFiles({ output, outputDir }: { output?: string; outputDir?: string }): boolean {
  return (output !== undefined && output !== '-') || outputDir !== undefined;
}

/**
 * Refuses a second occurrence of options that name what is read, done or written: one value would be lost silently. The
 * last one of other options wins, so that a command line can override an alias.
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

/** Refuses two of these options together: they contradict each other, and one would be lost silently. */
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

/** Returns an object with the property, or an empty one when there is no value. */
export function present<T>(name: string, value: unknown): Record<string, T> {
  return value === undefined ? {} : { [name]: value as T };
}

/** Columns of help that goes to no terminal. */
const DEFAULT_HELP_WIDTH = 80;
/** Columns that the description of an option needs beside it; with fewer it stands below. */
const MIN_BESIDE = 30;
const [ITEM_INDENT, ITEM_GAP, BELOW_INDENT] = [2, 2, 6];

/** The layout of help: nothing but the examples is wider than the terminal, as far as words can be kept apart. */
export const HELP_LAYOUT: Commander.HelpConfiguration & ThisType<Commander.Help> = {
  showGlobalOptions: true,
  // commander prints text as it is where less is left.
  minWidthToWrap: 1,
  styleUsage(usage) {
    const label = 'Usage: '.length;
    return indent(this.boxWrap(usage, widthOf(this) - label), label);
  },
  formatItem(term, termWidth, description, helper) {
    const start = ' '.repeat(ITEM_INDENT);
    if (!description) return start + term;
    const column = ITEM_INDENT + termWidth + ITEM_GAP;
    const beside = widthOf(helper) - column;
    if (beside >= MIN_BESIDE)
      return `${(start + term).padEnd(column)}${indent(helper.boxWrap(description, beside), column)}`;
    const below = helper.boxWrap(description, widthOf(helper) - BELOW_INDENT);
    return `${start}${term}\n${' '.repeat(BELOW_INDENT)}${indent(below, BELOW_INDENT)}`;
  },
};

function widthOf({ helpWidth = DEFAULT_HELP_WIDTH }: Commander.Help): number {
  return helpWidth;
}

/** Indents the lines after the first. */
function indent(text: string, columns: number): string {
  return text.replaceAll('\n', `\n${' '.repeat(columns)}`);
}

/** Adds a paragraph after the options, as wide as the rest of the help. */
export function addHelpProse(command: Command, text: string): Command {
  return command.addHelpText('after', ({ command: shown }) => {
    const width = shown.configureOutput().getOutHelpWidth?.() ?? DEFAULT_HELP_WIDTH;
    return `\n${shown.createHelp().boxWrap(text, width)}\n`;
  });
}

/** Renders the last part of a help text; every line runs as printed where its files are: file.pdf, scan.pdf, scans/. */
export function renderExamples(lines: string[]): string {
  return `\nExamples:\n${lines.map((line) => `  ${line}`).join('\n')}\n`;
}

/** A job id for examples that run wherever there is a file.pdf. */
export const SOME_JOB = '"$(ocr extract --no-wait file.pdf)"';

/** A request's id, for such examples: the service on this machine has answered it. */
export const SOME_REQUEST = `"$(ocr extract --json file.pdf | grep -o 'req_[0-9A-Z]*')"`;
