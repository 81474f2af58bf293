import { isLoopback } from '../../contract/loopback.js';

/** What a person should know of an address that a key is sent to; undefined of one that keeps it to itself. */
export function warnAboutPlainHttp(baseUrl: string): string | undefined {
  const { protocol, hostname, host } = new URL(baseUrl);
  if (protocol !== 'http:' || isLoopback(hostname)) return undefined;
  return `The key and the documents go to ${host} unencrypted: its address begins with http://`;
}
