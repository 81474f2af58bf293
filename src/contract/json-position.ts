/** Returns the position of a JSON syntax error: ` (line 3, column 7)`. The parser's own message quotes the text, which may be a key. */
export function describePosition(text: string, { message }: SyntaxError): string {
  const position = /at position (\d+)/.exec(message)?.[1];
  if (position === undefined) return '';
  const lines = text.slice(0, Number(position)).split('\n');
  return ` (line ${lines.length}, column ${(lines.at(-1) ?? '').length + 1})`;
}
