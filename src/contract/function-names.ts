interface NamedFunction {
  id: string;
  /** A short name that the catalog gives. */
  alias?: string | undefined;
}

/** Returns the id that a name stands for by its form alone: any case, and `-` for `_`. */
export function toFunctionId(name: string): string {
  return name.trim().toUpperCase().replaceAll('-', '_');
}

/** Finds a function by its id as people type it, or by its short name. An id comes before a short name. */
export function matchFunction<F extends NamedFunction>(functions: readonly F[], name: string): F | undefined {
  const id = toFunctionId(name);
  return (
    functions.find((known) => known.id === name) ??
    functions.find((known) => toFunctionId(known.id) === id) ??
    functions.find(({ alias }) => alias !== undefined && toFunctionId(alias) === id)
  );
}

/** Lists all names of functions, for suggestions and completion. */
export function namesOfFunctions(functions: readonly NamedFunction[]): string[] {
  return functions.flatMap(({ id, alias }) => (alias === undefined ? [id] : [id, alias]));
}
