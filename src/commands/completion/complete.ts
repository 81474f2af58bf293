import type { CommandNode, OptionNode } from './command-tree.js';
import { allCommands, optionsOf, PROFILES, valuedOptions, wordsOf } from './words.js';

/** A word that may be typed. */
export interface Candidate {
  word: string;
  description: string;
}

/**
 * Returns the words that may stand in place of the last of `words`, which follow the program's name. There are none where a
 * file is expected: the shell completes its path.
 */
export function complete(
  tree: CommandNode,
  words: readonly string[],
  listProfiles: () => Promise<readonly string[]>,
): Promise<Candidate[]> {
  const typed = words.at(-1) ?? '';
  const node = findCommand(tree, words.slice(0, -1));
  const [, name = words.at(-2) ?? '', begun = typed] = /^(--[^=]+)=(.*)$/s.exec(typed) ?? [];
  const option = optionsOf(node, tree).find(({ names, value }) => value !== undefined && names.includes(name));
  if (option !== undefined) return completeValue(option, begun === typed ? '' : `${name}=`);
  if (typed.startsWith('-')) return Promise.resolve(startingWith(typed, flagsOf(node, tree)));
  return completeWord();

  async function completeValue({ choices }: OptionNode, prefix: string): Promise<Candidate[]> {
    const values = (await fillIn(choices)).map((value) => ({ word: `${prefix}${value}`, description: value }));
    return startingWith(typed, values);
  }

  async function completeWord(): Promise<Candidate[]> {
    const descriptions = new Map(node.commands.map((below) => [below.name, below.description]));
    const all = (await fillIn(wordsOf(node))).map((word) => ({ word, description: descriptions.get(word) ?? word }));
    return startingWith(typed, all);
  }

  async function fillIn(choices: readonly string[]): Promise<readonly string[]> {
    return choices.includes(PROFILES) ? await listProfiles() : choices;
  }
}

/** Finds the command that the words name; flags and their values may stand between them. */
function findCommand(tree: CommandNode, words: readonly string[]): CommandNode {
  const known = new Map(allCommands(tree).map((node) => [node.path, node]));
  const valued = new Set(valuedOptions(tree));
  let node = tree;
  let isValue = false;
  for (const word of words) {
    const below = isValue ? undefined : known.get(`${node.path} ${word}`);
    isValue = !isValue && valued.has(word);
    node = below ?? node;
  }
  return node;
}

function flagsOf(node: CommandNode, tree: CommandNode): Candidate[] {
  const flags = optionsOf(node, tree).flatMap(({ names, description }) =>
    names.map((word) => ({ word, description: description || word })),
  );
  return [...flags, { word: '--help', description: 'help for the command' }];
}

function startingWith(typed: string, candidates: readonly Candidate[]): Candidate[] {
  return candidates.filter(({ word }) => word.startsWith(typed));
}
