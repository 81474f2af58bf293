/** Puts a value into the list of its key, a new one where there is none. In place: a list that is copied for each value costs its length's square. */
export function append<K, V>(map: Map<K, V[]>, key: K, value: V): void {
  const list = map.get(key);
  if (list === undefined) map.set(key, [value]);
  else list.push(value);
}
