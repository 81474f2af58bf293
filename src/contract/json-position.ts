/** Where a text is no JSON: ` (line 3, column 7)`; the parser's own words quote what stands there, which may be a key. */
export function describePosition(text: string, { message }: SyntaxError): string {
  const position = /at position (\d+)/.exec(message)?.[1];
  if (position === undefined) return '';
  const lines = text.slice(0, Number(position)).split('\n');
  return ` (line ${lines.length}, column ${(lines.at(-1) ?? '').length + 1})`;
}
