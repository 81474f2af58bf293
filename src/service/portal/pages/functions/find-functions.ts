import { catalog } from '../../../../functions/catalog.js';
import type { OcrFunction } from '../../../../functions/function.js';

/** Lists the functions whose names, description or arguments have each word; all without words. */
export function findFunctions(words: string): OcrFunction[] {
  const wanted = words.toLowerCase().split(/\s+/);
  return catalog.filter((entry) => {
    const { id, alias = '', title, description, acceptedTypes, argsSchema } = entry;
    const names = Object.keys((argsSchema.properties ?? {}) as object);
    const text = [id, alias, title, description, ...acceptedTypes, ...names].join(' ').toLowerCase();
    return wanted.every((word) => text.includes(word));
  });
}
