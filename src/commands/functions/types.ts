import type { Context } from '../../context.js';
import { renderTypes } from './render-types.js';

/** Prints TypeScript types of every function's arguments, from the service's catalog. */
export async function types(context: Context): Promise<void> {
  const { output } = context;
  const catalog = await (await context.api()).getCatalog();
  const source = renderTypes(catalog.map(({ id, description, argsSchema }) => ({ id, description, argsSchema })));
  if (output.isJson) return await output.json({ language: 'typescript', source });
  await output.text(source);
}
