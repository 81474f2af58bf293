import type { Context } from '../../../context.js';
import { type ServiceLocation, withLocation } from '../../../contract/command-words.js';
import { ageCell } from '../../../io/output/age-cell.js';
import type { Column } from '../../../io/output/table.js';
import { listKeys } from '../../../service/administration/keys.js';
import { withAdministration } from '../../../service/administration/open.js';

export interface ListOptions extends ServiceLocation {
  orgId?: string;
}

/** Lists the keys of a service or of one organisation, oldest first, by their last four characters. @throws OcrError NOT_FOUND */
export async function list({ env, output, clock }: Context, options: ListOptions): Promise<void> {
  const keys = await withAdministration(options, env, async ({ store }) => await listKeys(store, options.orgId));
  if (output.isJson) return await output.json(keys);
  if (keys.length === 0)
    return output.note(withLocation('No keys. Create one: ocr admin keys create --org <orgId>', options));
  const nowMs = clock.now();
  await output.table(
    COLUMNS,
    keys.map((key) => [
      key.keyId,
      `${key.prefix}…${key.lastFour}`,
      { state: key.status },
      key.orgId ?? (key.support ? 'support' : ''),
      { prose: key.name },
      { prose: key.functions?.join(', ') ?? 'all' },
      ageCell(key.expiresAt, nowMs, 'never'),
      ageCell(key.lastUsedAt, nowMs, 'never'),
      { prose: key.orgName ?? '' },
    ]),
  );
}

const COLUMNS: readonly Column[] = [
  'Key',
  'Shown',
  'Status',
  { name: 'Organisation', omitWhen: 'narrow' },
  { name: 'Name', omitWhen: 'narrowest' },
  { name: 'Functions', omitWhen: 'narrow' },
  { name: 'Expires', omitWhen: 'narrow' },
  { name: 'Last used', omitWhen: 'narrow' },
  { name: 'Organisation name', omitWhen: 'early' },
];
