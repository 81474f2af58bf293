import type * as Commander from 'commander';

/**
 * The parser, required: to import a package of CommonJS, Node reads its files once more for the names that they export,
 * which takes every command 3 ms.
 */
const { createRequire } = process.getBuiltinModule('node:module');
const commander = createRequire(import.meta.url)('commander') as typeof Commander;

export const { Argument, Command, CommanderError, InvalidArgumentError, Option } = commander;
export type Argument = Commander.Argument;
export type Command = Commander.Command;
export type CommanderError = Commander.CommanderError;
export type Option = Commander.Option;
