const C1_AND_DEL = /[\x7f-\x9f]/g;
/** Characters that turn the direction of the text after them: a name that holds one reads as another (Unicode UAX #9, section 2). */
const DIRECTION = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/**
 * Makes the control characters of foreign text visible, so that a document or a file name cannot command a terminal:
 * C0 in caret notation, C1 and DEL as `\x9b`. Newlines and tabs stay; a CR before a newline goes.
 */
export function makeVisible(text: string): string {
  return text
    .replace(/\r\n/g, '\n')
    .replace(/[\x00-\x08\x0b-\x1f]/g, inCaretNotation)
    .replace(C1_AND_DEL, (char) => `\\x${char.charCodeAt(0).toString(16)}`);
}

/** The same for what has one line, as a name in a message or a table has: newlines, tabs and directions are made visible too. */
export function makeOneLine(text: string): string {
  return makeVisible(text.replace(/[\t\n\r]/g, inCaretNotation)).replace(DIRECTION, escapeInJson);
}

/** The same for JSON, which stays the same value: its strings already escape C0. */
export function makeJsonVisible(json: string): string {
  return json.replace(C1_AND_DEL, escapeInJson).replace(DIRECTION, escapeInJson);
}

function escapeInJson(char: string): string {
  return `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

function inCaretNotation(char: string): string {
  return `^${String.fromCharCode(char.charCodeAt(0) + 64)}`;
}
