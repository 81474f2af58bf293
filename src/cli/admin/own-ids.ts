import { canonicalId } from '../../contract/identifiers.js';
import type { Command } from '../commander.js';
import { readPastedId } from '../pasted-ids.js';

/** Reads a copied id in our own capital or small letters: every id in `ocr admin` is one of its own service. */
export const parseOwnId = (text: string): string => canonicalId(readPastedId(text));

/** Returns the ids of a command that takes several. */
export const ownIdsOf = (command: Command): string[] => command.args.map(parseOwnId);

/** Reads an organisation's name as it is, or a copied id. */
export const parseOrganisation = (text: string): string =>
  /(?<![\p{L}\p{N}_-])org_[0-9a-z]/iu.test(text) ? parseOwnId(text) : text.trim();

/** Returns the organisation of a command that takes one. */
export const organisationOf = (command: Command): string => parseOrganisation(command.args[0] ?? '');

/** Returns the id of a command that takes one. */
export const ownIdOf = (command: Command): string => parseOwnId(command.args[0] ?? '');
