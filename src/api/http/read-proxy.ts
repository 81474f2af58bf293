import { isLoopback } from '../../contract/loopback.js';
import { OcrError } from '../../contract/ocr-error.js';

/** A proxy that the environment names. */
export interface HttpProxy {
  url: string;
  /** The address to show: without user name and password. */
  shown: string;
}

/**
 * Reads the proxy for a service's scheme from the environment, with curl's rules: lower case wins, `ALL_PROXY` is for
 * either scheme, and hosts of `NO_PROXY` need none. A service on this machine never has one.
 * @throws OcrError CONFIG_INVALID
 */
export function readProxy(env: NodeJS.ProcessEnv, baseUrl: string): HttpProxy | undefined {
  const service = new URL(baseUrl);
  const { protocol, hostname } = service;
  if (isLoopback(hostname) || isException(service, env.no_proxy || env.NO_PROXY || '')) return undefined;
  const names = protocol === 'https:' ? ['https_proxy', 'HTTPS_PROXY'] : ['http_proxy', 'HTTP_PROXY'];
  const name = [...names, 'all_proxy', 'ALL_PROXY'].find((candidate) => env[candidate]);
  if (name === undefined) return undefined;
  const text = env[name] ?? '';
  const written = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `http://${text}`;
  const url = URL.canParse(written) ? new URL(written) : undefined;
  if (url === undefined || (url.protocol !== 'http:' && url.protocol !== 'https:')) {
    // The value may hold a password, so the message does not repeat it.
    throw new OcrError('CONFIG_INVALID', `${name} is not the address of an http or https proxy`, {
      hint: 'It looks like http://proxy.example:3128; hosts to ask without it go into NO_PROXY.',
    });
  }
  return { url: written, shown: url.origin };
}

/** @param names `example.com` and `.example.com` with all below it, `example.com:8443`, or `*` for every host */
function isException({ protocol, hostname, port }: URL, names: string): boolean {
  const ownPort = port || (protocol === 'https:' ? '443' : '80');
  return names.split(/[,\s]+/).some((entry) => {
    if (entry === '*') return true;
    const [, name = entry, onPort = ownPort] = /^(.+):(\d+)$/.exec(entry) ?? [];
    const domain = name.replace(/^\*?\./, '').toLowerCase();
    return domain !== '' && onPort === ownPort && (hostname === domain || hostname.endsWith(`.${domain}`));
  });
}
