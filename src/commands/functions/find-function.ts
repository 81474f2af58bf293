import type { CatalogFunction } from '../../api/catalog/read-catalog.js';
import { OcrError } from '../../contract/ocr-error.js';
import { suggest } from '../../contract/suggest.js';

/** @throws OcrError NOT_FOUND, with a suggestion */
export function findFunction(catalog: readonly CatalogFunction[], id: string): CatalogFunction {
  const found = catalog.find((entry) => entry.id === id);
  if (found !== undefined) return found;
  const near = suggest(
    id,
    catalog.map((entry) => entry.id),
  );
  throw new OcrError('NOT_FOUND', `The service has no function ${id}`, {
    status: 404,
    hint: near === undefined ? 'List its functions: ocr functions list' : `Did you mean ${near}?`,
  });
}
