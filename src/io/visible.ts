/**
 * Makes the control characters of foreign text visible, so that a document or a file name cannot command a terminal:
 * C0 in caret notation, C1 and DEL as `\x9b`. Newlines and tabs stay; a CR before a newline goes.
 */
export function makeVisible(text: string): string {
  return text
    .replace(/\r\n/g, '\n')
    .replace(/[\x00-\x08\x0b-\x1f]/g, (char) => `^${String.fromCharCode(char.charCodeAt(0) + 64)}`)
    .replace(/[\x7f-\x9f]/g, (char) => `\\x${char.charCodeAt(0).toString(16)}`);
}

/** The same for JSON, which stays the same value: its strings already escape C0. */
export function makeJsonVisible(json: string): string {
  return json.replace(/[\x7f-\x9f]/g, (char) => `\\u00${char.charCodeAt(0).toString(16)}`);
}
