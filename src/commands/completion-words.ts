import type { CommandNode } from './command-tree.js';

/** Options whose value is a file or a directory. */
export const PATH_VALUE = /file|dir|body|path/i;

export function allCommands(node: CommandNode): CommandNode[] {
  return [node, ...node.commands.flatMap(allCommands)];
}

/** What may stand after a command: the flags of all above it too, and of what a noun alone does. */
export function optionsOf(node: CommandNode, tree: CommandNode): CommandNode['options'] {
  const implied = node.commands.find(({ name }) => name === node.defaultCommand)?.options ?? [];
  const own = [...node.options, ...implied];
  return node === tree ? own : [...own, ...tree.options];
}

/** Words that may follow a command besides its flags. */
export function wordsOf(node: CommandNode, tree: CommandNode): string[] {
  const below = node.commands.map(({ name }) => name);
  if (node.path === 'ocr help')
    return ['environment', 'exit-codes', 'output', ...tree.commands.map(({ name }) => name)];
  return [...below, ...node.argChoices];
}

export function takesFiles(node: CommandNode): boolean {
  return node.args.some((arg) => /input|body|file/.test(arg));
}

/** Options that take the word after them. */
export function valuedOptions(tree: CommandNode): string[] {
  const valued = allCommands(tree).flatMap(({ options }) => options.filter(({ value }) => value !== undefined));
  return [...new Set(valued.flatMap(({ names }) => names))];
}
