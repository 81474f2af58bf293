import type { Context } from '../../context.js';
import { OcrError } from '../../contract/ocr-error.js';
import { suggest } from '../../contract/suggest.js';

export interface GetOptions {
  id: string;
}

type Json = Record<string, unknown>;

/** A function and its arguments, as options that can be typed; with --json the service's own entry. */
export async function get(context: Context, { id }: GetOptions): Promise<void> {
  const { output } = context;
  const catalog = await (await context.api()).getCatalog();
  const found = catalog.find((entry) => entry.id === id);
  if (found === undefined) {
    const near = suggest(
      id,
      catalog.map((entry) => entry.id),
    );
    throw new OcrError('NOT_FOUND', `The service has no function ${id}`, {
      status: 404,
      hint: near === undefined ? 'Its functions: ocr functions list' : `Did you mean ${near}?`,
    });
  }
  if (output.isJson) return await output.json(found.body);
  const properties = (found.argsSchema?.properties ?? {}) as Record<string, Json>;
  const types = found.acceptedTypes?.join(', ') ?? 'not told';
  const about = [found.description, `Accepts: ${types}`, found.pageCap && `Pages: at most ${found.pageCap}`];
  for (const line of [id, ...about]) if (line) output.note(String(line));
  const rows = Object.entries(properties).map(([name, property]) => [
    name,
    describeType(property),
    property.default === undefined ? '' : JSON.stringify(property.default),
    String(property.description ?? ''),
  ]);
  await output.table(['Argument', 'Type', 'Default', 'What it does'], rows);
}

function describeType(property: Json): string {
  if (Array.isArray(property.enum)) return property.enum.join(' | ');
  const type = [property.type ?? 'any'].flat().join(' | ');
  if (type !== 'array') return type;
  return `list of ${describeType((property.items ?? {}) as Json)}`;
}
