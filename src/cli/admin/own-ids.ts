import { canonicalId } from '../../contract/identifiers.js';
import type { Command } from '../commander.js';
import { readPastedId } from '../pasted-ids.js';

/** Reads a copied id in our own capital or small letters: every id in `ocr admin` is one of its own service. */
export const parseOwnId = (text: string): string => canonicalId(readPastedId(text));

/** Returns the ids of a command that takes several. */
export const ownIdsOf = (command: Command): string[] => command.args.map(parseOwnId);

/** Returns the id of a command that takes one. */
export const ownIdOf = (command: Command): string => parseOwnId(command.args[0] ?? '');
