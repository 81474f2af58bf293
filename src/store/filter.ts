import type { SqlValue, SqlValues } from './unit.js';

/**
 * Renders a WHERE clause from the fields of `filter` that are set; `conditions` names the parameter `:field` of each. A flag
 * has a condition without a parameter. A filter without fields selects every row.
 */
export function renderFilter<F extends object>(
  filter: F,
  conditions: Partial<Record<keyof F, string>>,
): { where: string; values: SqlValues } {
  const values: Record<string, SqlValue> = {};
  const given: string[] = [];
  for (const [field, condition] of Object.entries(conditions) as Array<[string, string]>) {
    const value = (filter as Record<string, string | number | boolean | undefined>)[field];
    if (value === undefined || value === false) continue;
    given.push(condition);
    if (value !== true) values[field] = value;
  }
  return { where: given.length === 0 ? '' : `WHERE ${given.join(' AND ')}`, values };
}
