import type { ApiClient } from '../api/client.js';
import { matchFunction, namesOfFunctions } from '../contract/function-names.js';
import { isGone, OcrError } from '../contract/ocr-error.js';
import { suggest } from '../contract/suggest.js';

/** Returns the refusal of a document. Where the service has no such function, it says which one was probably meant. */
export async function explainRefusal(api: ApiClient, name: string, error: unknown): Promise<unknown> {
  if (!(error instanceof OcrError) || error.status !== 404 || !isGone(error)) return error;
  const catalog = await api.getCatalog({ isBestEffort: true }).catch(() => []);
  if (catalog.length === 0 || catalog.some(({ id }) => id === name)) return error;
  const near = matchFunction(catalog, name) ?? matchFunction(catalog, suggest(name, namesOfFunctions(catalog)) ?? '');
  const meant = near === undefined ? `it has ${catalog.map(({ id }) => id).join(', ')}` : `did you mean ${near.id}?`;
  return error.with({ message: `The service has no function ${name}: ${meant}` });
}
