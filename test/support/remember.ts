/** Calls a function once for the same arguments: to recognise a page takes a second. */
export function remember<Args extends unknown[], Value>(
  give: (...args: Args) => Promise<Value>,
): (...args: Args) => Promise<Value> {
  const given = new Map<string, Promise<Value>>();
  return (...args) => {
    const key = JSON.stringify(args);
    const value = given.get(key) ?? give(...args);
    given.set(key, value);
    return value;
  };
}
