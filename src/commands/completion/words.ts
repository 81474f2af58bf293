import {
  PROFILE_SETTING_NAMES,
  PROFILE_SETTINGS,
  type ProfileSetting,
  TOOL_SETTING,
} from '../../settings/known-settings.js';
import type { CommandNode } from './command-tree.js';

/** Options whose value is a file or a directory. */
export const PATH_VALUE = /file|dir|body|path/i;

/** Stands among words for the names of profiles: a shell asks for them as it completes. Nothing else is not known beforehand. */
export const PROFILES = '<profiles>';

const TOPICS = ['environment', 'exit-codes', 'output'];

/**
 * The tree with what only completion needs: the values of options that name functions and profiles, settings as commands
 * below those of `ocr config` that take them, and below `ocr help` all commands once more.
 * @param functions ids
 */
export function addWords(tree: CommandNode, functions: readonly string[]): CommandNode {
  return { ...tree, options: addChoices(tree), commands: tree.commands.map(add) };

  function add(node: CommandNode): CommandNode {
    if (node.path === 'ocr help') {
      return { ...node, argChoices: TOPICS, commands: tree.commands.map((below) => asWord(below, node.path)) };
    }
    const named = ['ocr config get', 'ocr config set', 'ocr config unset'].includes(node.path);
    const commands = named ? addSettings(node) : node.commands.map(add);
    return { ...node, options: addChoices(node), commands };
  }

  function addChoices({ options }: CommandNode): CommandNode['options'] {
    return options.map((option) => {
      if (option.names.includes('--function')) return { ...option, choices: [...functions] };
      return option.names.includes('--profile') ? { ...option, choices: [PROFILES] } : option;
    });
  }

  function addSettings(node: CommandNode): CommandNode[] {
    return ([TOOL_SETTING, ...PROFILE_SETTING_NAMES] as const).map((name) => ({
      ...node,
      path: `${node.path} ${name}`,
      name,
      description: 'setting',
      argChoices: node.name === 'set' ? valuesOf(name) : [],
    }));
  }

  function valuesOf(name: ProfileSetting | typeof TOOL_SETTING): string[] {
    if (name === TOOL_SETTING) return [PROFILES];
    return [...(name === 'function' ? functions : (PROFILE_SETTINGS[name].choices ?? []))];
  }
}

/** A command and those below it as words that may be typed after others. */
function asWord(node: CommandNode, parentPath: string): CommandNode {
  const path = `${parentPath} ${node.name}`;
  const commands = node.commands.map((below) => asWord(below, path));
  return { ...node, path, args: [], argChoices: [], options: [], defaultCommand: undefined, commands };
}

export function allCommands(node: CommandNode): CommandNode[] {
  return [node, ...node.commands.flatMap(allCommands)];
}

/** The flags of a command, and of what a noun alone does. */
export function ownOptionsOf(node: CommandNode): CommandNode['options'] {
  const implied = node.commands.find(({ name }) => name === node.defaultCommand)?.options ?? [];
  return [...node.options, ...implied];
}

/** What may stand after a command: the flags of the program too. */
export function optionsOf(node: CommandNode, tree: CommandNode): CommandNode['options'] {
  return node === tree ? ownOptionsOf(node) : [...ownOptionsOf(node), ...tree.options];
}

/** Words that may follow a command besides its flags. */
export function wordsOf(node: CommandNode): string[] {
  return [...node.argChoices, ...node.commands.map(({ name }) => name)];
}

export function takesFiles(node: CommandNode): boolean {
  return node.args.some((arg) => /input|body|file/.test(arg));
}

/** Options that take the word after them. */
export function valuedOptions(tree: CommandNode): string[] {
  const valued = allCommands(tree).flatMap(({ options }) => options.filter(({ value }) => value !== undefined));
  return [...new Set(valued.flatMap(({ names }) => names))];
}
