import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { PORTAL_PATH } from '../../contract/portal.js';
import { ICON } from './style/icon.js';
import { STYLES } from './style/style.js';

/** A program that defines a global name; as a module it exports it. */
const MORPH = fileURLToPath(import.meta.resolve('idiomorph/dist/idiomorph.min.js'));
const MODULES = fileURLToPath(new URL('./browser', import.meta.url));
const TYPES: Record<string, string> = {
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  svg: 'image/svg+xml',
};

interface Asset {
  body: string;
  headers: Record<string, string>;
}

/** The style, the modules and the icon of the pages. */
export interface Assets {
  /** Returns the path of an asset. */
  pathOf(name: string): string;
  /** Finds the asset of a path; undefined for another version's too. */
  find(path: string): Asset | undefined;
}

/** Reads the assets once. Their paths hold the digest of all of them, so that browsers keep them and modules find each other. */
export function loadAssets(): Assets {
  const modules = readdirSync(MODULES).filter((name) => name.endsWith('.js'));
  const bodies = new Map([
    ...Object.entries(STYLES),
    ['icon.svg', ICON],
    ['idiomorph.js', `${readFileSync(MORPH, 'utf8')}\nexport { Idiomorph };\n`],
    ...modules.map((name) => [name, readFileSync(join(MODULES, name), 'utf8')] as const),
  ]);
  const hash = createHash('sha256');
  for (const [name, body] of bodies) hash.update(`${name}\n${body}\n`);
  const folder = `${PORTAL_PATH}/assets/${hash.digest('hex').slice(0, 16)}/`;
  return {
    pathOf: (name) => folder + name,
    find(path) {
      if (!path.startsWith(folder)) return undefined;
      const name = path.slice(folder.length);
      const body = bodies.get(name);
      const type = TYPES[name.slice(name.lastIndexOf('.') + 1)];
      if (body === undefined || type === undefined) return undefined;
      return { body, headers: { 'content-type': type, 'cache-control': 'private, max-age=31536000, immutable' } };
    },
  };
}
