/** A house number before the name of its street, or behind it; that of a unit or flat before a comma. */
const STREET = String.raw`\p{L}+ \d{1,4}[A-Za-z]?, .*\p{L}{2}.*|(?:\d{1,3}(?:[A-Za-z/-][\w/-]*)?|\d{4,5}(?=.*\n\D)),? .*\p{L}{2}.*|.*\p{L}{2}.* \d{1,3}(?:[/-]\d{1,3})? ?[A-Za-z]?,?`;
/** A post code of letters and figures. */
const CODE = String.raw`\b(?:[A-Z]{1,2}\d[A-Z\d]? ?\d[A-Z]{2}|[A-Z]\d[A-Z] ?\d[A-Z]\d)\b`;
/** A town with its code: "79100 Freiburg", "1025 RX Amsterdam", "Fremont CA 94538", "Sydney NSW 2000", "Bristol BS1 4QA". */
const TOWN = String.raw`(?:[A-Z]{1,2}-)?(?:\d{4,6}|\d{2,5}-\d{3,4}) (?:[A-Z]{2} )?\p{Lu}\p{L}|.*(?:\p{L}{2}.*\b\d{5,6}\b|\b[A-Z]{2,3} \d{4}$|${CODE})`;
/** A town whose code ends its line, which tells an address whose street has no number. */
const CODED_TOWN = String.raw`.*\p{L}{2}.*${CODE}$`;
const ADDRESS = new RegExp(
  String.raw`^[^\d\n]+\n(?:(?:${STREET})\n(?:.*\n)?(?:${TOWN})|[^\d\n]+\n${CODED_TOWN})`,
  'mu',
);
/** Upper bound of the characters of a line: those of prose are longer. */
const MAX_CHARACTERS = 50;

/** By what a sender is reached, paid or registered, each with its value: "Tel. 0341 12345-0", "IBAN DE12 8605", or an address of e-mail. */
const DETAIL =
  /^(?:(tel|phone|fon|fax|mob|e-?mail|web|www|iban|bic|swift|vat|ust|siret)\p{L}*\b.*[\d@/].*|.*\b(hr[ab]) \d.*|\S+(@)\S+\.\p{L}+)$/iu;
const MIN_DETAILS = 2;
/** A name, a street and a town. */
export const MIN_ADDRESS_LINES = 3;

/**
 * True when a name, its street and its town stand below each other in lines of text, or details of a sender of several kinds,
 * as at the foot of a letter.
 */
export function isAddress(texts: readonly string[]): boolean {
  const lines = texts.map((line) => (line.length > MAX_CHARACTERS ? '' : line));
  if (lines.length < MIN_ADDRESS_LINES) return false;
  const kinds = lines.flatMap((line) => DETAIL.exec(line)?.slice(1).find(Boolean)?.toLowerCase() ?? []);
  return new Set(kinds).size >= MIN_DETAILS || ADDRESS.test(lines.join('\n'));
}
