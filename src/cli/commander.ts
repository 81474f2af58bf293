import type * as Commander from 'commander';

/**
 * Loads the parser with require: for an import of a CommonJS package Node parses its files once more for the names that
 * they export, which costs every command 3 ms.
 */
const { createRequire } = process.getBuiltinModule('node:module');
const commander = createRequire(import.meta.url)('commander') as typeof Commander;

export const { Argument, Command, CommanderError, InvalidArgumentError, Option } = commander;
export type Argument = Commander.Argument;
export type Command = Commander.Command;
export type CommanderError = Commander.CommanderError;
export type Option = Commander.Option;
