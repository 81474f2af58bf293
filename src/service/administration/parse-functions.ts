import { OcrError } from '../../contract/ocr-error.js';
import { suggest } from '../../contract/suggest.js';
import { catalog } from '../../functions/catalog.js';

/** Parses `A,B` as ids of existing functions; `all` gives undefined: every function, also later ones. @throws OcrError USAGE */
export function parseFunctions(text: string): string[] | undefined {
  if (text.trim().toLowerCase() === 'all') return undefined;
  const names = text.split(',').map((name) => name.trim());
  return [...new Set(names.map(checkName))].sort();
}

function checkName(name: string): string {
  const ids = catalog.map(({ id }) => id);
  const found = ids.find((id) => id === name.toUpperCase());
  if (found !== undefined) return found;
  const near = suggest(name, ids);
  throw new OcrError('USAGE', name === '' ? 'The name of a function is missing' : `There is no function ${name}`, {
    hint: near === undefined ? `Functions: ${ids.join(', ')}, or all` : `Did you mean ${near}?`,
  });
}
