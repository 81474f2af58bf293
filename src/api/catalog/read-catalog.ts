type Json = Record<string, unknown>;

/** A catalog entry as far as a client needs it, whatever names a server gives its fields. */
export interface CatalogFunction {
  id: string;
  title: string | undefined;
  description: string | undefined;
  acceptedTypes: string[] | undefined;
  pageCap: number | undefined;
  argsSchema: Json | undefined;
  resultSchema: Json | undefined;
  /** Whether the key may use it; undefined where the server does not say. */
  included: boolean | undefined;
  /** As it came. */
  body: Json;
}

/** Undefined when it is not a catalog. A bare array, or one under functions, data or items (the contract does not say which). */
export function readCatalog(text: string): CatalogFunction[] | undefined {
  try {
    return readCatalogValue(JSON.parse(text));
  } catch {
    return undefined;
  }
}

/** Of what is read already. */
export function readCatalogValue(value: unknown): CatalogFunction[] | undefined {
  const list = findList(value);
  if (list === undefined) return undefined;
  const functions = list.flatMap((entry) => readEntry(entry) ?? []);
  return list.length > 0 && functions.length === 0 ? undefined : functions;
}

/** What a service offers beyond the contract, by name. */
export function readExtensions(text: string): string[] {
  try {
    const value = JSON.parse(text) as { extensions?: unknown } | null;
    return Array.isArray(value?.extensions) ? value.extensions.filter((name) => typeof name === 'string') : [];
  } catch {
    return [];
  }
}

function findList(value: unknown): unknown[] | undefined {
  if (Array.isArray(value)) return value;
  if (typeof value !== 'object' || value === null) return undefined;
  const { functions, data, items } = value as Json;
  for (const candidate of [functions, data, items]) {
    const list = Array.isArray(candidate) ? candidate : findListOrNothing(candidate);
    if (list !== undefined) return list;
  }
  return undefined;
}

/** One level deeper: `{data: {functions: […]}}`. */
function findListOrNothing(value: unknown): unknown[] | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { functions, items } = value as Json;
  return [functions, items].find((candidate): candidate is unknown[] => Array.isArray(candidate));
}

function readEntry(value: unknown): CatalogFunction | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const entry = value as Json;
  const id = [entry.id, entry.function, entry.name].find((item): item is string => typeof item === 'string');
  if (id === undefined) return undefined;
  const types = [entry.acceptedTypes, entry.acceptedFileTypes, entry.accept, entry.fileTypes].find(Array.isArray);
  const cap = [entry.pageCap, entry.maxPages].find((item): item is number => typeof item === 'number');
  return {
    id,
    title: typeof entry.title === 'string' ? entry.title : undefined,
    description: typeof entry.description === 'string' ? entry.description : undefined,
    acceptedTypes: types?.map(String),
    pageCap: cap,
    argsSchema: toSchema(entry.argsSchema),
    resultSchema: toSchema(entry.resultSchema),
    included: typeof entry.included === 'boolean' ? entry.included : undefined,
    body: entry,
  };
}

function toSchema(value: unknown): Json | undefined {
  return typeof value === 'object' && value !== null ? (value as Json) : undefined;
}
