import type { EventEmitter } from 'node:events';
import type { CommandNode, OptionNode } from '../commands/completion/command-tree.js';
import type { Command, Option } from './commander.js';
import { isDefaultCommand } from './declare.js';

/** Describes a command and all below it as data. */
export function describeTree(command: Command, parentPath = ''): CommandNode {
  const path = `${parentPath} ${command.name()}`.trim();
  const args = isDefaultCommand(command) ? [] : command.registeredArguments;
  return {
    path,
    name: command.name(),
    description: command.description(),
    args: args.map((argument) => {
      const term = `${argument.name()}${argument.variadic ? '...' : ''}`;
      return argument.required ? `<${term}>` : `[${term}]`;
    }),
    argDescriptions: args.map(({ description }) => description),
    argChoices: args.flatMap(({ argChoices = [] }) => argChoices),
    options: command.options.filter(({ hidden }) => !hidden).map(describeOption),
    examples: readExamples(command),
    defaultCommand: command.commands.find(isDefaultCommand)?.name(),
    commands: command.commands.map((below) => describeTree(below, path)),
  };
}

function describeOption({ short, long, flags, description, argChoices = [] }: Option): OptionNode {
  return {
    names: [short, long].filter((name) => name !== undefined),
    flags,
    description,
    value: /<([^>]+)>/.exec(flags)?.[1],
    choices: argChoices,
  };
}

/** Reads the examples that `renderExamples` of declare.ts added to the help. */
function readExamples(command: Command): string[] {
  let text = '';
  // commander documents a command as an emitter, though its types do not.
  (command as unknown as EventEmitter).emit('afterHelp', {
    error: false,
    command,
    write(more: string) {
      text += more;
    },
  });
  const [, listed = ''] = text.split('Examples:\n');
  return listed.split('\n').flatMap((line) => (line.startsWith('  ') ? [line.trim()] : []));
}
