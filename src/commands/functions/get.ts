import type { Context } from '../../context.js';
import { ARGUMENT_COLUMNS, describeArgument } from './describe-argument.js';
import { findFunction } from './find-function.js';

export interface GetOptions {
  id: string;
}

type Json = Record<string, unknown>;

/** A function and its arguments, as options that can be typed; with --json the service's own entry. */
export async function get(context: Context, { id }: GetOptions): Promise<void> {
  const { output } = context;
  const found = findFunction(await (await context.api()).getCatalog(), id);
  if (output.isJson) return await output.json(found.body);
  const { title, description, acceptedTypes, pageCap, included, argsSchema } = found;
  const facts = [
    ['Function', id],
    ['Title', title ?? ''],
    ['Description', description ?? ''],
    ['Accepts', acceptedTypes?.join(', ') ?? ''],
    ['Page cap', pageCap === undefined ? '' : String(pageCap)],
    ['Included', included === undefined ? '' : included ? 'yes' : 'no: not in the plan or the scope of this key'],
  ].filter(([, value]) => value !== '');
  await output.table(['', ''], facts);
  const properties = Object.entries((argsSchema?.properties ?? {}) as Json);
  if (properties.length === 0) return;
  const required = Array.isArray(argsSchema?.required) ? argsSchema.required : [];
  await output.text('\n');
  await output.table(
    ARGUMENT_COLUMNS,
    properties.map(([name, schema]) => describeArgument(name, schema, required.includes(name))),
  );
}
