import { canonicalId } from '../../contract/identifiers.js';
import { readPastedId } from '../../contract/pasted-id.js';
import type { Command } from '../commander.js';

/** An id as it was copied, in the letters in which we write it: all that `ocr admin` is given are of its own service. */
export const parseOwnId = (text: string): string => canonicalId(readPastedId(text));

/** That of a command that takes one. */
export const ownIdOf = (command: Command): string => parseOwnId(command.args[0] ?? '');
