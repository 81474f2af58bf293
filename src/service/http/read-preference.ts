import type { IncomingHttpHeaders } from 'node:http';

/** Returns the value of a preference, empty when it has none; undefined when it is not requested (RFC 7240, section 2). */
export function readPreference({ prefer }: IncomingHttpHeaders, name: string): string | undefined {
  for (const preference of [prefer ?? []].flat().join(',').split(',')) {
    const [found = '', value = ''] = (preference.split(';')[0] ?? '').split('=');
    // The first of two equal names counts.
    if (found.trim().toLowerCase() === name) return value.trim().replace(/^"(.*)"$/, '$1');
  }
  return undefined;
}
