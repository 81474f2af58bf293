/**
 * The last step of the build. It joins the hundreds of compiled modules of each program, which load slowly, to one file, with
 * chunks for what several programs need or one loads later. The modules stay in dist/ for the tests, which import them.
 */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { build } from 'rolldown';

const ROOT = import.meta.dirname;
const DIST = resolve(ROOT, 'dist');
/** What processes and threads start with, and the library. Each stays where the compiler put it. */
const PROGRAMS = [
  'main',
  'library/index',
  'service/documents/document-process',
  'service/documents/document-thread',
  'engine/reading/text-worker',
  'engine/reading/recognition-worker',
  'engine/products/barcodes/barcode-worker',
];
const { dependencies, optionalDependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
/** Packages of an installation. What else a program imports becomes a part of it. */
const INSTALLED = Object.keys({ ...dependencies, ...optionalDependencies });

const slashed = (path) => path.replaceAll(sep, '/');

/** Gives each module the address that the compiler gave it, by which it finds programs and files: its code moves to a chunk. */
const keepAddresses = {
  name: 'keep-addresses',
  transform: (code, path) => code.replaceAll('import.meta.url', `ADDRESS_OF('${slashed(relative(DIST, path))}')`),
  renderChunk: (code, { fileName }) =>
    code.replaceAll(
      /ADDRESS_OF\(["']([^"']+)["']\)/g,
      (_, module) => `new URL('./${slashed(relative(dirname(fileName), module))}', import.meta.url).href`,
    ),
};

/** A digest of all that makes the results of documents: the packages, and the sources of the engine and the functions (decision 314). */
function digestEngine() {
  const digest = createHash('sha256').update(JSON.stringify([dependencies, optionalDependencies]));
  for (const directory of ['engine', 'functions']) {
    const names = readdirSync(join(ROOT, 'src', directory), { recursive: true, encoding: 'utf8' });
    for (const name of names.filter((name) => name.endsWith('.ts')).sort())
      digest.update(`\0${slashed(name)}\0`).update(readFileSync(join(ROOT, 'src', directory, name)));
  }
  return digest.digest('hex');
}

writeFileSync(join(DIST, 'engine-version'), digestEngine());
await build({
  input: Object.fromEntries(PROGRAMS.map((name) => [name, join(DIST, `${name}.js`)])),
  external: (id) => isBuiltin(id) || INSTALLED.some((name) => id === name || id.startsWith(`${name}/`)),
  platform: 'node',
  plugins: [keepAddresses],
  output: { dir: DIST, chunkFileNames: 'chunks/[name]-[hash].js' },
});
