import { quote } from '../contract/command-words.js';
import { suggest } from '../contract/suggest.js';
import type { UnknownCommand } from './declare.js';

/** Suggests a command for an unknown word: a similar name, or the command that takes the word as its argument. */
export function suggestCommand({ word, known, commandPath }: UnknownCommand): string | undefined {
  const area = commandPath.startsWith('ocr admin') ? 'ocr admin' : 'ocr';
  if (word.startsWith('job_')) return `${area} jobs get ${quote(word)}`;
  if (word.startsWith('req_')) return `${area} requests get ${quote(word)}`;
  const near = suggest(word, known);
  // Names of commands have only letters and dashes.
  if (near !== undefined || /^[a-z-]+$/.test(word)) return near;
  if (known.includes('get')) return `${commandPath} get ${quote(word)}`;
  return known.includes('extract') ? `ocr extract ${quote(word)}` : undefined;
}
