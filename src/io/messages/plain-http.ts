import { isLoopback } from '../../contract/loopback.js';

/** Returns a warning for an address to which the key goes unencrypted; undefined for any other. */
export function warnAboutPlainHttp(baseUrl: string): string | undefined {
  const { protocol, hostname, host } = new URL(baseUrl);
  if (protocol !== 'http:' || isLoopback(hostname)) return undefined;
  return `The key and the documents go to ${host} unencrypted: its address begins with http://`;
}
