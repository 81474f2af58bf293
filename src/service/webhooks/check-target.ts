import { isIP } from 'node:net';
import type { AddressPolicy } from './address-policy.js';
import type { ResolvedAddress, ResolveHost } from './resolve-host.js';

const MAX_URL_LENGTH = 2048;

/** The URL of an endpoint must not be called, or not now; the message says why. */
export class TargetRefusedError extends Error {
  override readonly name = 'TargetRefusedError';
}

/** Where a delivery goes: the addresses that were checked, and the name that the certificate must have. */
export interface Target {
  url: URL;
  /** Without the brackets of an IPv6 address and without the dot at the end. */
  hostname: string;
  addresses: ResolvedAddress[];
}

/**
 * What the text alone tells. The URL parser comes first: it knows octal, hexadecimal and full-width spellings of an address
 * for what they are. @throws TargetRefusedError
 */
function parseTargetUrl(text: string): URL {
  if (text.length > MAX_URL_LENGTH) throw new TargetRefusedError(`the URL is longer than ${MAX_URL_LENGTH} characters`);
  if (!URL.canParse(text)) throw new TargetRefusedError('it is not a URL');
  const url = new URL(text);
  if (url.protocol !== 'https:') throw new TargetRefusedError('it must begin with https://');
  if (url.username !== '' || url.password !== '')
    throw new TargetRefusedError('it must not contain a user name or a password');
  // Never sent, so it cannot be meant.
  url.hash = '';
  if (hostnameOf(url) === '') throw new TargetRefusedError('it has no host');
  return url;
}

/**
 * Checks every address that the host has now. The answer is what to connect to: asking again might be answered otherwise.
 * @throws TargetRefusedError, or whatever `resolve` throws
 */
export async function checkTarget(
  text: string,
  isAllowed: AddressPolicy,
  resolve: ResolveHost,
  signal: AbortSignal,
): Promise<Target> {
  const url = parseTargetUrl(text);
  const hostname = hostnameOf(url);
  const family = isIP(hostname);
  // An address in the URL is connected to without any look-up, so it is checked here.
  const addresses =
    family === 0 ? await resolve(hostname, signal) : [{ address: hostname, family: family === 6 ? 6 : 4 } as const];
  if (addresses.length === 0) throw new TargetRefusedError(`${hostname} has no address`);
  const refused = addresses.find(({ address }) => !isAllowed(address));
  if (refused !== undefined)
    throw new TargetRefusedError(
      family === 0
        ? `${hostname} resolves to ${refused.address}, which is not a public address`
        : `${refused.address} is not a public address`,
    );
  return { url, hostname, addresses };
}

function hostnameOf({ hostname }: URL): string {
  return hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '');
}
