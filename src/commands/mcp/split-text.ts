/**
 * Estimates the tokens of a text, rather too many than too few: models differ, and their tokenizers are large. A run of
 * plain letters counts a token for each three, a digit, a sign and a letter of another script one each.
 */
export function estimateTokens(text: string): number {
  let tokens = 0;
  for (const [run] of text.matchAll(RUN)) tokens += costOf(run);
  return tokens;
}

/** Plain letters, white space, or one other character. */
const RUN = /[A-Za-z]+|\s+|./gsu;
const LETTERS_PER_TOKEN = 3;

function costOf(run: string): number {
  if (/^[A-Za-z]/.test(run)) return Math.ceil(run.length / LETTERS_PER_TOKEN);
  // A single space belongs to the word after it.
  if (run === ' ') return 0;
  if (/^\s/.test(run)) return Math.ceil(run.length / 8);
  // A character beyond the basic plane, such as an emoji, takes more than one.
  return run.length > 1 ? 3 : 1;
}

/**
 * Returns the end of the part that begins at `start` and has at most `maxTokens`: before a paragraph if there is one in its
 * second half, else before a line, else before a word.
 */
export function findPartEnd(text: string, start: number, maxTokens: number): number {
  const limit = findLimit(text, start, maxTokens);
  if (limit === text.length) return limit;
  const half = start + Math.ceil((limit - start) / 2);
  for (const separator of ['\n\n', '\n', ' ']) {
    const at = text.lastIndexOf(separator, limit - separator.length);
    if (at >= half) return at + separator.length;
  }
  return limit;
}

function findLimit(text: string, start: number, maxTokens: number): number {
  let tokens = 0;
  RUN.lastIndex = start;
  for (let match = RUN.exec(text); match !== null; match = RUN.exec(text)) {
    const [run] = match;
    tokens += costOf(run);
    if (tokens <= maxTokens) continue;
    // A run longer than a part is cut within; each part takes at least one character.
    return match.index > start ? match.index : Math.min(text.length, start + maxTokens * LETTERS_PER_TOKEN);
  }
  return text.length;
}
