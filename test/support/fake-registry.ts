import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';

/** Files of a package, by their path in it. */
type PackageFiles = Record<string, Buffer | string>;

export interface FakeRegistry {
  url: string;
  /** Paths of the calls, decoded. */
  calls: string[];
  /** Packages by name. */
  packages: Map<string, PackageFiles>;
  /** Gives digests of other bytes. */
  liesAboutDigests: boolean;
  /** Answers 401 to every call. */
  isClosedToStrangers: boolean;
  close(): void;
}

/** A registry of npm on loopback. */
export async function startFakeRegistry(): Promise<FakeRegistry> {
  const registry: FakeRegistry = {
    url: '',
    calls: [],
    packages: new Map(),
    liesAboutDigests: false,
    isClosedToStrangers: false,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
  const server = createServer((request, response) => {
    const path = decodeURIComponent(request.url ?? '').slice(1);
    registry.calls.push(path);
    const [, name = '', rest] = /^(@[^/]+\/[^/]+)(\/-\/.*)?$/.exec(path) ?? [];
    if (registry.isClosedToStrangers) return response.writeHead(401, { 'content-type': 'application/json' }).end('{}');
    const files = registry.packages.get(name);
    if (files === undefined) return response.writeHead(404, { 'content-type': 'application/json' }).end('{}');
    const tarball = packTarball({ 'package.json': JSON.stringify({ name, version: '1.0.0' }), ...files });
    if (rest !== undefined) return response.end(tarball);
    const digested = registry.liesAboutDigests ? Buffer.concat([tarball, Buffer.from('x')]) : tarball;
    const integrity = `sha512-${createHash('sha512').update(digested).digest('base64')}`;
    const dist = { tarball: `${registry.url}${name}/-/data-1.0.0.tgz`, integrity };
    // The registry of npm copies the manifest of a package, and says that it has scripts.
    const manifest = JSON.parse(String(files['package.json'] ?? '{}'));
    const version = { ...manifest, name, version: '1.0.0', dist, hasInstallScript: manifest.scripts !== undefined };
    const body = { name, 'dist-tags': { latest: '1.0.0' }, versions: { '1.0.0': version } };
    return response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  registry.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  return registry;
}

/** Packs files as npm does: a tar archive (ustar) with all of them below `package/`, compressed. */
function packTarball(files: PackageFiles): Buffer {
  const blocks = Object.entries(files).flatMap(([path, content]) => {
    const bytes = Buffer.from(content as string);
    const padding = Buffer.alloc((512 - (bytes.length % 512)) % 512);
    return [headerOf(`package/${path}`, bytes.length), bytes, padding];
  });
  return gzipSync(Buffer.concat([...blocks, Buffer.alloc(1024)]));
}

function headerOf(path: string, size: number): Buffer {
  const header = Buffer.alloc(512);
  const octal = (value: number, length: number) => `${value.toString(8).padStart(length - 1, '0')}\0`;
  header.write(path, 0);
  header.write(`${octal(0o644, 8)}${octal(0, 8)}${octal(0, 8)}${octal(size, 12)}${octal(0, 12)}        0`, 100);
  header.write('ustar\x0000', 257);
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  return header;
}
