import { isIP } from 'node:net';
import type { AddressPolicy } from './address-policy.js';
import type { ResolvedAddress, ResolveHost } from './resolve-host.js';

const MAX_URL_LENGTH = 2048;

/** Thrown when the URL of an endpoint must not be called, or not now; the message says why. */
export class TargetRefusedError extends Error {
  override readonly name = 'TargetRefusedError';

  constructor(
    message: string,
    /** Advice to an operator. */
    readonly remedy?: string,
  ) {
    super(message);
  }
}

/** Settings of the service let endpoints of an intranet pass. */
const ALLOW_RANGES = 'Receivers in an intranet: list their ranges in webhookAllowCidrs (OCR_SERVE_WEBHOOK_ALLOW_CIDRS)';

/** Destination of a delivery: the checked addresses, and the host name for the certificate. */
export interface Target {
  url: URL;
  /** Host name without the brackets of an IPv6 address and without a final dot. */
  hostname: string;
  addresses: ResolvedAddress[];
}

/**
 * Checks the text of a URL without a look-up. The URL parser comes first, because it normalises octal, hexadecimal and
 * full-width spellings of an address. @throws TargetRefusedError
 */
function parseTargetUrl(text: string): URL {
  if (text.length > MAX_URL_LENGTH) throw new TargetRefusedError(`the URL is longer than ${MAX_URL_LENGTH} characters`);
  if (!URL.canParse(text)) throw new TargetRefusedError('it is not a URL');
  const url = new URL(text);
  if (url.protocol !== 'https:') throw new TargetRefusedError('it must begin with https://');
  if (url.username !== '' || url.password !== '')
    throw new TargetRefusedError('it must not contain a user name or a password');
  // A fragment is never sent to a server.
  url.hash = '';
  if (hostnameOf(url) === '') throw new TargetRefusedError('it has no host');
  return url;
}

/**
 * Checks every present address of the host. Connect only to the returned addresses: a second look-up could return others.
 * @throws TargetRefusedError, or the error of `resolve`
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
  // Node connects to an address in the URL without a look-up, so it is checked here.
  const addresses =
    family === 0 ? await resolve(hostname, signal) : [{ address: hostname, family: family === 6 ? 6 : 4 } as const];
  if (addresses.length === 0) throw new TargetRefusedError(`${hostname} has no address`);
  const refused = addresses.find(({ address }) => !isAllowed(address));
  if (refused !== undefined)
    throw new TargetRefusedError(
      family === 0
        ? `${hostname} resolves to ${refused.address}, which is not a public address`
        : `${refused.address} is not a public address`,
      ALLOW_RANGES,
    );
  return { url, hostname, addresses };
}

function hostnameOf({ hostname }: URL): string {
  return hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '');
}
