/**
 * What begins as an id does, the contract's (Success response, Queued response) or one of ours, not in the middle of a
 * word; `job_id` is the name of a field.
 */
const ID =
  /(?<![\p{L}\p{N}_-])(?:req|job|org|key|whe|dlv)_(?!ids?(?![\p{L}\p{N}_-]))[^\s\p{C}\p{Ps}\p{Pe}\p{Pi}\p{Pf}"'`<>,;|\\/?#&]+/giu;
/** What stands around an id in a sentence or in a log; an id may begin and end in signs of base64url. */
const AROUND = /^[^\p{L}\p{N}_-]+|[^\p{L}\p{N}_=-]+$/gu;

/**
 * The id in what was copied from a mail, a log or an address: without the brackets, quotes, stops and words around it. Of
 * a text with several ids, or none that is known for one, what is left without signs at its ends.
 */
export function readPastedId(text: string): string {
  const ids = new Set(text.match(ID)?.map((id) => id.replace(AROUND, '')));
  const [id] = ids;
  if (id !== undefined && ids.size === 1) return id;
  return text.replace(AROUND, '') || text.trim();
}
