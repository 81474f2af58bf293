const C1_AND_DEL = /[\x7f-\x9f]/g;

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

/** The same for what has one line, as a name in a message or a table has: newlines and tabs are made visible too. */
export function makeOneLine(text: string): string {
  return makeVisible(text.replace(/[\t\n\r]/g, inCaretNotation));
}

/** The same for JSON, which stays the same value: its strings already escape C0. */
export function makeJsonVisible(json: string): string {
  return json.replace(C1_AND_DEL, (char) => `\\u00${char.charCodeAt(0).toString(16)}`);
}

function inCaretNotation(char: string): string {
  return `^${String.fromCharCode(char.charCodeAt(0) + 64)}`;
}
