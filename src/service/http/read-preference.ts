import type { IncomingHttpHeaders } from 'node:http';

/** The value of a preference, empty where it has none; undefined where it is not asked for (RFC 7240, section 2). */
export function readPreference({ prefer }: IncomingHttpHeaders, name: string): string | undefined {
  for (const preference of [prefer ?? []].flat().join(',').split(',')) {
    const [found = '', value = ''] = (preference.split(';')[0] ?? '').split('=');
    // Of one that is named twice the first counts.
    if (found.trim().toLowerCase() === name) return value.trim().replace(/^"(.*)"$/, '$1');
  }
  return undefined;
}
