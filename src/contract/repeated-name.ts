const TOKEN = /("[^"\\]*(?:\\.[^"\\]*)*")(\s*:)?|[{}]/g;

/** Finds a name that an object in valid JSON has twice: JSON.parse keeps the last value without an error (RFC 8259, section 4). */
export function findRepeatedName(json: string): string | undefined {
  const open: Array<Set<string>> = [];
  for (const [token, text = '', colon] of json.matchAll(TOKEN)) {
    if (token === '{') open.push(new Set());
    else if (token === '}') open.pop();
    if (colon === undefined) continue;
    const name = JSON.parse(text) as string;
    if (open.at(-1)?.has(name)) return name;
    open.at(-1)?.add(name);
  }
  return undefined;
}
