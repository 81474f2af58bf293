import { type CatalogFunction, readCatalogValue } from '../../api/catalog/read-catalog.js';
import type { Context } from '../../context.js';
import { serviceFlags } from '../../contract/command-words.js';
import { matchFunction, namesOfFunctions, toFunctionId } from '../../contract/function-names.js';
import { OcrError } from '../../contract/ocr-error.js';
import { suggest } from '../../contract/suggest.js';
import { findOutput } from '../../functions/find-output.js';

export type FindFunction = () => Promise<CatalogFunction | undefined>;

export interface FinderOptions {
  /** True when the service on this machine may be started for it. */
  mayStart: boolean;
}

/**
 * Finds a function in the catalog; undefined, with a note, when the catalog cannot be read.
 * @throws OcrError NOT_FOUND for a function that is not in it
 */
export async function findFunction(
  context: Context,
  name: string,
  { mayStart }: FinderOptions,
): Promise<CatalogFunction | undefined> {
  const catalog = mayStart || !(await isStopped(context)) ? await fetchCatalog(context) : await predictCatalog(context);
  if (catalog === undefined) return undefined;
  const found = matchFunction(catalog, name);
  if (found !== undefined) return found;
  const near = suggest(name, namesOfFunctions(catalog));
  throw new OcrError('NOT_FOUND', `The service has no function ${name}`, {
    status: 404,
    hint: near === undefined ? `ocr functions list${serviceFlags(context.flags)}` : `Did you mean ${near}?`,
  });
}

/**
 * Returns the id of a function by any of its names. The catalog knows short names; it is asked only where the name has not
 * the form of an id that this version knows.
 * @throws OcrError NOT_FOUND for a function that is not in the catalog
 */
export async function findFunctionId(name: string, find: FindFunction): Promise<string> {
  const id = toFunctionId(name);
  if ((await findOutput(id)) !== undefined) return id;
  return (await find())?.id ?? id;
}

async function fetchCatalog(context: Context): Promise<CatalogFunction[] | undefined> {
  const api = await context.api();
  try {
    return await api.getCatalog({ isBestEffort: true });
  } catch (error) {
    context.signal.throwIfAborted();
    if (!(error instanceof OcrError)) throw error;
    // The same failure comes up again, with retries, when the document is sent.
    context.output.note(`The catalog cannot be read, so nothing is checked before it is sent: ${error.message}`);
    return undefined;
  }
}

/** True when the service is the one on this machine and does not run. */
async function isStopped(context: Context): Promise<boolean> {
  const { server } = await context.settings();
  if (server.value.kind !== 'local') return false;
  const { probeService } = await import('../../local/probe-service.js');
  const { dataDir } = await context.directories();
  return (await probeService(dataDir)) === undefined;
}

/** Returns what the service on this machine would answer: once started, it has this version. */
async function predictCatalog({ output }: Context): Promise<CatalogFunction[] | undefined> {
  output.note('The service on this machine is not running: what it takes is checked by what this version of it takes.');
  const { describeFunctions } = await import('../../functions/describe-functions.js');
  return readCatalogValue(describeFunctions());
}
