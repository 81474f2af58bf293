import type { SqlValue, SqlValues } from './unit.js';

type Conditions<F> = Partial<Record<keyof F, string>>;

/**
 * Renders a WHERE clause from the fields of `filter` that are set; `conditions` names the parameter `:field` of each. A flag
 * has a condition without a parameter. A filter without fields selects every row.
 */
export function renderFilter<F extends object>(
  filter: F,
  conditions: Conditions<F>,
): { where: string; values: SqlValues } {
  const { conditions: given, values } = listConditions(filter, conditions);
  return { where: given.length === 0 ? '' : `WHERE ${given.join(' AND ')}`, values };
}

/** Lists the conditions of the fields that are set. */
export function listConditions<F extends object>(
  filter: F,
  conditions: Conditions<F>,
): { conditions: string[]; values: SqlValues } {
  const values: Record<string, SqlValue> = {};
  const given: string[] = [];
  for (const [field, condition] of Object.entries(conditions) as Array<[string, string]>) {
    const value = (filter as Record<string, string | number | boolean | undefined>)[field];
    if (value === undefined || value === false) continue;
    given.push(condition);
    if (value !== true) values[field] = value;
  }
  return { conditions: given, values };
}
