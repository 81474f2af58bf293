import type { S3Client } from './client.js';

/** Lists the ids that have objects directly below `prefix`, a page at a time. Other names are somebody else's. */
export async function* listOwnIds(client: S3Client, prefix: string, kind: 'doc' | 'res'): AsyncIterable<string[]> {
  const own = new RegExp(`^${kind}_[0-9A-HJKMNP-TV-Z]{26}$`);
  for await (const keys of client.list(`${prefix}${kind}_`)) {
    const ids = keys.map((key) => key.slice(prefix.length)).filter((id) => own.test(id));
    if (ids.length > 0) yield ids;
  }
}
