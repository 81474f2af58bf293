import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const path = (name: string) => fileURLToPath(new URL(`../fixtures/tls/${name}`, import.meta.url));

/** The certificate of the authority that signed the others; for NODE_EXTRA_CA_CERTS. */
export const CA_FILE = path('ca.pem');

/** Reads the key and a certificate of a test server; test/fixtures/tls/make.sh makes them. */
export function readCertificate(name: 'server' | 'wrong-name' | 'expired' | 'self-signed'): {
  key: Buffer;
  cert: Buffer;
} {
  return { key: readFileSync(path('server.key')), cert: readFileSync(path(`${name}.pem`)) };
}
