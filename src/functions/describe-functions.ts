import { matchFunction, toFunctionId } from '../contract/function-names.js';
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

/** Returns the id for a function as people type it: one of this version by its short name too, any other by its form. */
export function toKnownFunctionId(name: string): string {
  return matchFunction(catalog, name)?.id ?? toFunctionId(name);
}
