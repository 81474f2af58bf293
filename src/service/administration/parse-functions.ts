import { matchFunction, namesOfFunctions } from '../../contract/function-names.js';
import { OcrError } from '../../contract/ocr-error.js';
import { suggest } from '../../contract/suggest.js';
import { catalog } from '../../functions/catalog.js';

/** Parses `A,B` as ids of existing functions; `all` gives undefined: every function, also later ones. @throws OcrError USAGE */
export function parseFunctions(text: string): string[] | undefined {
  if (text.trim().toLowerCase() === 'all') return undefined;
  const names = text.split(',').map((name) => name.trim());
  return [...new Set(names.map(checkName))].sort();
}

function checkName(name: string): string {
  const found = matchFunction(catalog, name);
  if (found !== undefined) return found.id;
  const near = suggest(name, namesOfFunctions(catalog));
  const ids = catalog.map(({ id }) => id);
  throw new OcrError('USAGE', name === '' ? 'The name of a function is missing' : `There is no function ${name}`, {
    hint: near === undefined ? `Functions: ${ids.join(', ')}, or all` : `Did you mean ${near}?`,
  });
}

/** Puts the id of a function in place of another of its names; a name that is none stays, because calls with it are logged too. */
export function withFunctionId<Filter extends { function?: string }>(filter: Filter): Filter {
  const found = filter.function === undefined ? undefined : matchFunction(catalog, filter.function);
  return found === undefined ? filter : { ...filter, function: found.id };
}
