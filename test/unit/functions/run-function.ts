import { findFunction } from '../../../dist/functions/catalog.js';
import { checkResult } from '../../support/check-result.js';

const limits = { maxPixels: 100e6, parallelism: 2 };

/** Runs a function as the service does, on the built engine, and holds its result against its resultSchema. */
export async function runFunction<Result>(
  id: string,
  { path, mimeType }: { path: string; mimeType: string },
  args: Record<string, unknown> = {},
): Promise<{ result: Result; provider: string; pageCount: number; confidence?: number | null; print(): unknown }> {
  const entry = findFunction(id);
  if (entry === undefined) throw new Error(`the catalog has no ${id}`);
  const outcome = await entry.run({ path, mimeType, args, limits, onProgress: () => undefined });
  checkResult(entry, outcome.result);
  return { ...outcome, result: outcome.result as Result, print: () => entry.output.print(outcome.result) };
}
