import type { Context } from '../../context.js';
import { ARGUMENT_COLUMNS, describeArgument, describeResult, RESULT_COLUMNS } from './describe-argument.js';
import { findFunction } from './find-function.js';

export interface GetOptions {
  id: string;
}

type Json = Record<string, unknown>;

/** Prints a function, its arguments as they are typed, and its results; with --json the service's own entry. */
export async function get(context: Context, { id }: GetOptions): Promise<void> {
  const { output } = context;
  const found = findFunction(await (await context.api()).getCatalog(), id);
  if (output.isJson) return await output.json(found.body);
  const { title, description, acceptedTypes, pageCap, included, argsSchema, resultSchema } = found;
  await output.properties([
    ['Function', found.id],
    ['Short name', found.alias],
    ['Title', title || undefined],
    ['Description', { prose: description || undefined }],
    ['Accepts', { prose: acceptedTypes?.join(', ') || undefined }],
    ['Page cap', pageCap],
    [
      'Included',
      included === undefined ? undefined : included ? 'yes' : 'no: not in the plan or the scope of this key',
    ],
  ]);
  const argumentsOf = Object.entries((argsSchema?.properties ?? {}) as Json);
  const required = Array.isArray(argsSchema?.required) ? argsSchema.required : [];
  const results = Object.entries((resultSchema?.properties ?? {}) as Json);
  const tables = [
    [ARGUMENT_COLUMNS, argumentsOf.map(([name, schema]) => describeArgument(name, schema, required.includes(name)))],
    [RESULT_COLUMNS, results.map(([name, schema]) => describeResult(name, schema))],
  ] as const;
  for (const [columns, rows] of tables) {
    if (rows.length === 0) continue;
    await output.text('\n');
    await output.table(columns, rows);
  }
}
