/** Names a thing beside its id: `Alder Vale Library (org_…)`. The name may be gone; without an id there is nothing to say. */
export function nameWithId(name: string | null, id: string | null): string | null {
  if (id === null) return null;
  return name === null || name === '' ? id : `${name} (${id})`;
}
