import type { ApiClient } from '../api/client.js';
import type { CatalogFunction } from '../api/read-catalog.js';
import type { Context } from '../context.js';
import { serviceFlags } from '../contract/command-words.js';
import { OcrError } from '../contract/ocr-error.js';
import { suggest } from '../contract/suggest.js';

export type FindFunction = () => Promise<CatalogFunction | undefined>;

/**
 * What the catalog says of a function, asked for once and only when it is needed; undefined, with a note, where the
 * catalog cannot be read. The answer rejects with OcrError NOT_FOUND for a function that is not in it.
 */
export function createFunctionFinder(context: Context, getApi: () => Promise<ApiClient>, id: string): FindFunction {
  let found: Promise<CatalogFunction | undefined> | undefined;
  return () => {
    found ??= findFunction(context, getApi, id);
    return found;
  };
}

async function findFunction(
  context: Context,
  getApi: () => Promise<ApiClient>,
  functionId: string,
): Promise<CatalogFunction | undefined> {
  const api = await getApi();
  let catalog: CatalogFunction[];
  try {
    catalog = await api.getCatalog({ isBestEffort: true });
  } catch (error) {
    context.signal.throwIfAborted();
    if (!(error instanceof OcrError)) throw error;
    // Whatever is wrong comes up again, with retries, when the document is sent.
    context.output.note(`The catalog cannot be read, so nothing is checked before it is sent: ${error.message}`);
    return undefined;
  }
  const found = catalog.find(({ id }) => id === functionId);
  if (found !== undefined) return found;
  const near = suggest(
    functionId,
    catalog.map(({ id }) => id),
  );
  throw new OcrError('NOT_FOUND', `The service has no function ${functionId}`, {
    status: 404,
    hint: near === undefined ? `ocr functions list${serviceFlags(context.flags)}` : `Did you mean ${near}?`,
  });
}
