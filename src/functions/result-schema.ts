/** JSON Schema 2020-12, in parts that the resultSchema of several functions has. */
export type Schema = Record<string, unknown>;

export const DIALECT = 'https://json-schema.org/draft/2020-12/schema';

/** Every property is required but those named. Objects stay open, since results may grow. */
export function object(
  description: string,
  properties: Record<string, Schema>,
  optional: readonly string[] = [],
): Schema {
  return {
    type: 'object',
    description,
    properties,
    required: Object.keys(properties).filter((name) => !optional.includes(name)),
  };
}

export function list(description: string, items: Schema): Schema {
  return { type: 'array', description, items };
}

export function text(description: string): Schema {
  return { type: 'string', description };
}

export function yesOrNo(description: string): Schema {
  return { type: 'boolean', description };
}

/** An integer from 1: page numbers, and counts that cannot be zero. */
export function fromOne(description: string): Schema {
  return { type: 'integer', minimum: 1, description };
}

export function fromZero(description: string): Schema {
  return { type: 'integer', minimum: 0, description };
}

export const BOX: Schema = {
  type: 'array',
  description: '[x0, y0, x1, y1], each 0-1, from the top left of the page as it is read.',
  items: { type: 'number', minimum: 0, maximum: 1 },
  minItems: 4,
  maxItems: 4,
};

export const CONFIDENCE: Schema = {
  type: ['number', 'null'],
  minimum: 0,
  maximum: 1,
  description: 'Of the recognition, 0-1; null for text from the text layer.',
};

export const CELL_PLACE: Record<string, Schema> = {
  row: fromZero('Its first one, from 0.'),
  column: fromZero('Its first one, from 0.'),
  rowSpan: fromOne('How many rows it covers.'),
  columnSpan: fromOne('How many columns it covers.'),
};

/** Optional in every result: left out where there are none. */
export const WARNINGS: Schema = list(
  'Pages that could not be read, or not well.',
  object('A warning.', {
    page: fromOne('As in the file.'),
    message: { type: 'string', description: 'For people.' },
  }),
);
