import type { CatalogFunction } from '../../api/catalog/read-catalog.js';
import { matchFunction, namesOfFunctions } from '../../contract/function-names.js';
import { OcrError } from '../../contract/ocr-error.js';
import { suggest } from '../../contract/suggest.js';

/** Finds a function by its id or short name. @throws OcrError NOT_FOUND, with a suggestion */
export function findFunction(catalog: readonly CatalogFunction[], name: string): CatalogFunction {
  const found = matchFunction(catalog, name);
  if (found !== undefined) return found;
  const near = suggest(name, namesOfFunctions(catalog));
  throw new OcrError('NOT_FOUND', `The service has no function ${name}`, {
    status: 404,
    hint: near === undefined ? 'List its functions: ocr functions list' : `Did you mean ${near}?`,
  });
}
