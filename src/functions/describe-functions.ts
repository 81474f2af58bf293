import { catalog } from './catalog.js';
import type { OcrFunction } from './function.js';

/** The facts about a function that a client may know beforehand. */
export type FunctionDescription = Pick<
  OcrFunction,
  'id' | 'title' | 'description' | 'acceptedTypes' | 'pageCap' | 'argsSchema' | 'resultSchema'
>;

/** Every function of this version, as the catalog of its service has them. */
export function describeFunctions(): FunctionDescription[] {
  return catalog.map(({ id, title, description, acceptedTypes, pageCap, argsSchema, resultSchema }) => {
    return { id, title, description, acceptedTypes, pageCap, argsSchema, resultSchema };
  });
}
