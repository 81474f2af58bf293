import type { Command } from './commander.js';

/**
 * An id of the contract (sections Success response and Queued response) or one of ours, by its prefix, and not in the
 * middle of a word; `job_id` is the name of a field.
 */
const ID =
  /(?<![\p{L}\p{N}_-])(?:req|job|org|key|whe|dlv)_(?!ids?(?![\p{L}\p{N}_-]))[^\s\p{C}\p{Ps}\p{Pe}\p{Pi}\p{Pf}"'`<>,;|\\/?#&]+/giu;
/** The characters around an id in a sentence or a log; an id may begin and end with characters of base64url. */
const AROUND = /^[^\p{L}\p{N}_-]+|[^\p{L}\p{N}_=-]+$/gu;

/**
 * Finds the id in what was copied from a mail, a log or an address: without the brackets, quotes, stops and words around
 * it. A text with several ids, or with none that is known, is returned without the characters at its ends.
 */
export function readPastedId(text: string): string {
  const ids = new Set(text.match(ID)?.map((id) => id.replace(AROUND, '')));
  const [id] = ids;
  if (id !== undefined && ids.size === 1) return id;
  return text.replace(AROUND, '') || text.trim();
}

/** Returns the ids on a command line, without what was copied along with them. */
export function idsOf(command: Command): string[] {
  return command.args.map(readPastedId);
}

/** Returns the id of a command that takes one. */
export function idOf(command: Command): string {
  return idsOf(command)[0] ?? '';
}
