const RIGHT_TO_LEFT = /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;

export function isRightToLeft(text: string): boolean {
  return RIGHT_TO_LEFT.test(text);
}

/**
 * The characters of a word from left to right on paper. Those of right-to-left scripts are reversed; numbers and
 * letters of other scripts inside stay as they are.
 */
export function orderForPaper(graphemes: readonly string[]): readonly string[] {
  if (!graphemes.some(isRightToLeft)) return graphemes;
  const runs: string[][] = [];
  let goesOn = false;
  for (const grapheme of graphemes) {
    const forward = /[\p{L}\p{N}]/u.test(grapheme) && !isRightToLeft(grapheme);
    if (forward && goesOn) runs.at(-1)?.push(grapheme);
    else runs.push([grapheme]);
    goesOn = forward;
  }
  return runs.reverse().flat();
}
