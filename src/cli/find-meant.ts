import { quote } from '../contract/command-words.js';
import { suggest } from '../contract/suggest.js';
import type { UnknownCommand } from './declare.js';

/** What was probably meant by a word where a command should stand: one of the commands, or what it names given to one. */
export function findMeant({ word, known, commandPath }: UnknownCommand): string | undefined {
  const area = commandPath.startsWith('ocr admin') ? 'ocr admin' : 'ocr';
  if (word.startsWith('job_')) return `${area} jobs get ${quote(word)}`;
  if (word.startsWith('req_')) return `${area} requests get ${quote(word)}`;
  const near = suggest(word, known);
  // Commands are letters and dashes alone.
  if (near !== undefined || /^[a-z-]+$/.test(word)) return near;
  if (known.includes('get')) return `${commandPath} get ${quote(word)}`;
  return known.includes('extract') ? `ocr extract ${quote(word)}` : undefined;
}
