import { quote } from '../contract/command-words.js';
import { suggest } from '../contract/suggest.js';
import type { Command } from './commander.js';
import { pathOf, type UnknownCommand } from './declare.js';

/** Commands of this name in other groups that are named at most. */
const MAX_NAMED = 3;

/**
 * Suggests a command for an unknown word: a similar name, the commands of this name in other groups, or the command that takes
 * the word as its argument. `groups`: the groups of commands of the whole tree.
 */
export function suggestCommand(
  { word, known, commandPath }: UnknownCommand,
  groups: readonly Command[],
): string | undefined {
  const area = commandPath.startsWith('ocr admin') ? 'ocr admin' : 'ocr';
  if (word.startsWith('job_')) return `${area} jobs get ${quote(word)}`;
  if (word.startsWith('req_')) return `${area} requests get ${quote(word)}`;
  const near = suggest(word, known) ?? (commandPath === 'ocr' ? findInGroups(word, groups) : undefined);
  // Names of commands have only letters and dashes.
  if (near !== undefined || /^[a-z-]+$/.test(word)) return near;
  if (known.includes('get')) return `${commandPath} get ${quote(word)}`;
  return known.includes('extract') ? `ocr extract ${quote(word)}` : undefined;
}

function findInGroups(name: string, groups: readonly Command[]): string | undefined {
  const found = groups.flatMap(({ commands }) => commands.filter((command) => command.name() === name)).map(pathOf);
  const named = found.slice(0, MAX_NAMED);
  const last = named.pop();
  return named.length === 0 ? last : `${named.join(', ')} or ${last}`;
}
