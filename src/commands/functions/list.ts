import type { Context } from '../../context.js';

/** Prints the service's catalog; with --json each entry as the service gave it. */
export async function list(context: Context): Promise<void> {
  const { output } = context;
  const catalog = await (await context.api()).getCatalog();
  if (output.isJson) return await output.json(catalog.map(({ body }) => body));
  // Lines for programs end with the short name only where the service gives any.
  const hasAliases = catalog.some(({ alias }) => alias !== undefined);
  const rows = catalog.map(({ id, alias, title, description, acceptedTypes, pageCap, included }) => [
    id,
    title ?? firstSentence(description ?? ''),
    { prose: acceptedTypes?.map(shortType).join(' ') ?? '' },
    pageCap === undefined ? '' : String(pageCap),
    included === false ? 'not included' : '',
    ...(hasAliases ? [alias ?? ''] : []),
  ]);
  await output.table(
    [
      'Function',
      { name: 'What it does', omitWhen: 'narrowest' },
      { name: 'Accepts', omitWhen: 'narrow' },
      'Pages',
      { name: '', omitWhen: 'empty' },
      ...(hasAliases ? ['Short name'] : []),
    ],
    rows,
  );
}

function firstSentence(text: string): string {
  return /^.*?[.!?](?=\s|$)/s.exec(text)?.[0] ?? text;
}

/** application/pdf → pdf */
function shortType(type: string): string {
  return type.slice(type.indexOf('/') + 1);
}
