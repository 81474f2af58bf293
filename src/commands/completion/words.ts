import {
  PROFILE_SETTING_NAMES,
  PROFILE_SETTINGS,
  type ProfileSetting,
  TOOL_SETTING,
} from '../../settings/known-settings.js';
import type { CommandNode } from './command-tree.js';

/** Options whose value is a file or a directory. */
export const PATH_VALUE = /file|dir|body|path/i;

/** Placeholder for the names of profiles, which a shell asks for when it completes. All other words are fixed. */
export const PROFILES = '<profiles>';

/** Words that come from tables of their own. */
export interface Vocabulary {
  /** Ids and short names. */
  functions: readonly string[];
  /** Codes. */
  languages: readonly string[];
}

const TOPICS = ['environment', 'exit-codes', 'output'];

/**
 * Adds to the tree what only completion needs: values for the options and arguments that name functions, languages and
 * profiles, settings as commands below `ocr config`, and all commands once more below `ocr help`.
 */
export function addWords(tree: CommandNode, { functions, languages }: Vocabulary): CommandNode {
  return { ...tree, options: addChoices(tree), commands: tree.commands.map(add) };

  function add(node: CommandNode): CommandNode {
    if (node.path === 'ocr help') {
      return { ...node, argChoices: TOPICS, commands: tree.commands.map((below) => asWord(below, node.path)) };
    }
    if (node.path === 'ocr functions get') return { ...node, argChoices: [...functions], options: addChoices(node) };
    if (node.path === 'ocr languages install')
      return { ...node, argChoices: [...languages], options: addChoices(node) };
    const named = ['ocr config get', 'ocr config set', 'ocr config unset'].includes(node.path);
    const commands = named ? addSettings(node) : node.commands.map(add);
    return { ...node, options: addChoices(node), commands };
  }

  function addChoices({ options }: CommandNode): CommandNode['options'] {
    return options.map((option) => {
      if (option.names.includes('--function')) return { ...option, choices: [...functions] };
      if (option.names.includes('--languages')) return { ...option, choices: [...languages] };
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
    if (name === 'function') return [...functions];
    return [...(name === 'languages' ? languages : (PROFILE_SETTINGS[name].choices ?? []))];
  }
}

/** Turns a command and those below it into words without options of their own. */
function asWord(node: CommandNode, parentPath: string): CommandNode {
  const path = `${parentPath} ${node.name}`;
  const commands = node.commands.map((below) => asWord(below, path));
  return { ...node, path, args: [], argChoices: [], options: [], defaultCommand: undefined, commands };
}

export function allCommands(node: CommandNode): CommandNode[] {
  return [node, ...node.commands.flatMap(allCommands)];
}

/** Returns the flags of a command, and those of its default command. */
export function ownOptionsOf(node: CommandNode): CommandNode['options'] {
  const implied = node.commands.find(({ name }) => name === node.defaultCommand)?.options ?? [];
  return [...node.options, ...implied];
}

/** Returns the flags that may stand after a command, with those of the program. */
export function optionsOf(node: CommandNode, tree: CommandNode): CommandNode['options'] {
  return node === tree ? ownOptionsOf(node) : [...ownOptionsOf(node), ...tree.options];
}

/** Returns the words that may follow a command besides its flags. */
export function wordsOf(node: CommandNode): string[] {
  return [...node.argChoices, ...node.commands.map(({ name }) => name)];
}

export function takesFiles(node: CommandNode): boolean {
  return node.args.some((arg) => /input|body|file/.test(arg));
}

/** Returns the options that take the next word as their value. */
export function valuedOptions(tree: CommandNode): string[] {
  const valued = allCommands(tree).flatMap(({ options }) => options.filter(({ value }) => value !== undefined));
  return [...new Set(valued.flatMap(({ names }) => names))];
}
