import type { OutputForm } from './function.js';
import { textOutput } from './text-output.js';

/** How results of a function are printed; undefined for one that is not ours. Most results are texts: those load no catalog. */
export async function findOutput(functionId: string): Promise<OutputForm | undefined> {
  if (functionId === 'TEXT_EXTRACTION') return textOutput;
  return (await import('./catalog.js')).findFunction(functionId)?.output;
}
