import { Resolver } from 'node:dns/promises';
import { readFile } from 'node:fs/promises';
import { isIP } from 'node:net';

export interface ResolvedAddress {
  address: string;
  family: 4 | 6;
}

/** Returns the present addresses of a name, in the order to try them. @throws Error with a code when there are none */
export type ResolveHost = (hostname: string, signal: AbortSignal) => Promise<ResolvedAddress[]>;

const QUERY_TIMEOUT_MS = 2_000;
const HOSTS_FILE =
  process.platform === 'win32'
    ? `${process.env.SystemRoot ?? 'C:\\Windows'}\\System32\\drivers\\etc\\hosts`
    : '/etc/hosts';

/**
 * Reads the hosts file, then asks the name servers. The system's getaddrinfo is no option: it runs on two threads for the whole
 * process, and two names whose servers never answer would delay every other delivery.
 */
export async function resolveHost(hostname: string, signal: AbortSignal): Promise<ResolvedAddress[]> {
  const name = hostname.replace(/\.$/, '').toLowerCase();
  const known = findInHosts(name, await readFile(HOSTS_FILE, 'utf8').catch(() => ''));
  if (known.length > 0) return known;
  // Name servers never resolve these names (RFC 6761, section 6.3).
  if (name === 'localhost' || name.endsWith('.localhost')) return [toResolved('127.0.0.1'), toResolved('::1')];
  return await askNameServers(name, signal);
}

export function findInHosts(name: string, hosts: string): ResolvedAddress[] {
  return hosts
    .split(/\r?\n/)
    .map((line) => line.replace(/#.*/, '').trim().split(/\s+/))
    .filter(([address = '', ...names]) => isIP(address) !== 0 && names.some((known) => known.toLowerCase() === name))
    .map(([address = '']) => toResolved(address));
}

async function askNameServers(name: string, signal: AbortSignal): Promise<ResolvedAddress[]> {
  signal.throwIfAborted();
  const resolver = new Resolver({ timeout: QUERY_TIMEOUT_MS, tries: 3 });
  const cancel = () => resolver.cancel();
  signal.addEventListener('abort', cancel, { once: true });
  try {
    const [v4, v6] = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
    signal.throwIfAborted();
    const found = [v4, v6].flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
    if (found.length === 0) throw v4.status === 'rejected' ? v4.reason : new Error('no addresses');
    return found.map(toResolved);
  } finally {
    signal.removeEventListener('abort', cancel);
  }
}

function toResolved(address: string): ResolvedAddress {
  return { address, family: isIP(address) === 6 ? 6 : 4 };
}
