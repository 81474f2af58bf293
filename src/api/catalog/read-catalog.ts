type Json = Record<string, unknown>;

/** The fields of a catalog entry that a client needs, whatever names a server gives them. */
export interface CatalogFunction {
  id: string;
  /** A short name for people. */
  alias: string | undefined;
  title: string | undefined;
  description: string | undefined;
  acceptedTypes: string[] | undefined;
  pageCap: number | undefined;
  argsSchema: Json | undefined;
  resultSchema: Json | undefined;
  /** True when the key may use the function; undefined where the server does not say. */
  included: boolean | undefined;
  /** The entry, unchanged. */
  body: Json;
}

/** Reads a bare array, or one under functions, data or items (the contract does not say which); undefined for anything else. */
export function readCatalog(text: string): CatalogFunction[] | undefined {
  try {
    return readCatalogValue(JSON.parse(text));
  } catch {
    return undefined;
  }
}

/** Reads a catalog from parsed JSON, like readCatalog. */
export function readCatalogValue(value: unknown): CatalogFunction[] | undefined {
  const list = findList(value);
  if (list === undefined) return undefined;
  const functions = list.flatMap((entry) => readEntry(entry) ?? []);
  return list.length > 0 && functions.length === 0 ? undefined : functions;
}

/** Reads the names of the additions to the contract that a service offers. */
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

/** Looks one level deeper: `{data: {functions: […]}}`. */
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
    alias: typeof entry.alias === 'string' ? entry.alias : undefined,
    title: typeof entry.title === 'string' ? entry.title : undefined,
    description: typeof entry.description === 'string' ? entry.description : undefined,
    acceptedTypes: types?.filter((type) => typeof type === 'string'),
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
