import { matchFunction, namesOfFunctions, toFunctionId } from '../contract/function-names.js';
import { suggest } from '../contract/suggest.js';
import { catalog } from './catalog.js';
import type { OcrFunction } from './function.js';

/** The facts about a function that a client may know beforehand. */
export type FunctionDescription = Pick<
  OcrFunction,
  'id' | 'alias' | 'title' | 'description' | 'acceptedTypes' | 'pageCap' | 'argsSchema' | 'resultSchema'
>;

/** Every function of this version, as the catalog of its service has them. */
export function describeFunctions(): FunctionDescription[] {
  return catalog.map(({ id, alias, title, description, acceptedTypes, pageCap, argsSchema, resultSchema }) => {
    return {
      id,
      ...(alias === undefined ? {} : { alias }),
      title,
      description,
      acceptedTypes,
      pageCap,
      argsSchema,
      resultSchema,
    };
  });
}

/**
 * Says that no function is called so, and which one was probably meant or which there are; undefined for one of this version.
 * `further` names others: services have functions of their own, and had some that are gone.
 */
export function explainUnknownFunction(name: string, further: Iterable<string> = []): string | undefined {
  const others = [...new Set(further)].filter((id) => matchFunction(catalog, id) === undefined);
  const known = [...catalog, ...others.map((id) => ({ id }))];
  if (matchFunction(known, name) !== undefined) return undefined;
  const near = suggest(name, namesOfFunctions(known));
  const remedy = near === undefined ? `There are: ${known.map(({ id }) => id).join(', ')}` : `Did you mean ${near}?`;
  return `No function ${name} is known here. ${remedy}`;
}

/**
 * Reads the function that a list of records is limited to: one of this version by any of its names, any other by its form.
 * `unknown` says that neither this version nor a record has it, which is no error: another service may.
 */
export function readFilter(
  name: string,
  records: readonly { function: string }[],
): { function: string; unknown?: string } {
  const id = matchFunction(catalog, name)?.id ?? toFunctionId(name);
  const unknown = explainUnknownFunction(
    id,
    records.map((record) => record.function),
  );
  return { function: id, ...(unknown === undefined ? {} : { unknown }) };
}
