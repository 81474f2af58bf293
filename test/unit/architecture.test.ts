import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

/** The parts that each part may import, beside itself. Files directly in src/ are parts of their own. */
const ALLOWED: Record<string, string[]> = {
  'main.ts': ['run.ts', 'context.ts', 'io', 'contract'],
  'run.ts': ['cli.ts', 'context.ts', 'io', 'contract'],
  'cli.ts': ['cli', 'context.ts', 'commands', 'contract', 'io'],
  cli: [
    'context.ts',
    'commands',
    'commands/portal.ts',
    'commands/serve.ts',
    'commands/admin',
    'commands/open',
    'commands/local/stop.ts',
    'local',
    'contract',
  ],
  'context.ts': ['context', 'submission-lifecycle', 'api', 'settings', 'ledger', 'io', 'contract'],
  context: ['submission-lifecycle', 'api', 'settings', 'io', 'local', 'contract'],
  commands: [
    'context.ts',
    'submission-lifecycle',
    'functions/find-output.ts',
    'functions/describe-functions.ts',
    'api',
    'settings',
    'ledger',
    'io',
    'local',
    'local/languages',
    'contract',
  ],
  // It draws pages on this machine, in a confined process as the service's.
  'commands/open': [
    'context.ts',
    'submission-lifecycle',
    'service/documents/draw-document.ts',
    'api',
    'settings',
    'ledger',
    'io',
    'local',
    'contract',
  ],
  'service/documents/draw-document.ts': ['engine', 'contract', 'system'],
  // The public surface for programs: the HTTP client without commands, ledger and engine.
  library: ['api', 'settings', 'local', 'io', 'contract'],
  'submission-lifecycle': ['api', 'settings', 'ledger', 'contract'],
  'commands/admin': ['context.ts', 'submission-lifecycle', 'service', 'io', 'contract'],
  // It cancels the jobs of a service that is not running any more.
  'commands/local/stop.ts': ['context.ts', 'service', 'local', 'contract'],
  'commands/portal.ts': ['context.ts', 'service', 'local', 'io', 'contract'],
  'commands/serve.ts': ['context.ts', 'service', 'local', 'local/languages', 'settings', 'io', 'contract'],
  api: ['contract'],
  settings: ['contract', 'system'],
  ledger: ['contract', 'system'],
  io: ['contract', 'system'],
  local: ['contract', 'system'],
  'local/languages': ['engine', 'contract', 'system'],
  service: ['functions', 'functions/describe-functions.ts', 'store', 'engine', 'contract', 'system'],
  store: ['engine', 'contract', 'system'],
  functions: ['engine', 'contract'],
  // How a result is printed, and what the catalog says: all that commands may know of a function.
  'functions/find-output.ts': [],
  'functions/describe-functions.ts': ['contract'],
  engine: [],
  contract: [],
  system: [],
};
const src = fileURLToPath(new URL('../../src', import.meta.url));
const files = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter((name) => /\.tsx?$/.test(name));
/** The file itself, else the innermost of its folders that is a part. */
const partOf = (file: string): string => {
  const words = file.split('/');
  const paths = words.map((_, i) => words.slice(0, words.length - i).join('/'));
  return paths.find((path) => ALLOWED[path]) ?? words[0] ?? '';
};
/** The source of an imported module, with or without JSX. */
const resolveSource = (path: string) => {
  const name = path.replace(/\.js$/, '');
  return files.includes(`${name}.tsx`) ? `${name}.tsx` : `${name}.ts`;
};
const importsOf = (file: string) =>
  [...readFileSync(join(src, file), 'utf8').matchAll(/(?:from|import\()\s*'(\.[^']+)'/g)].map((match) =>
    resolveSource(relative(src, join(src, dirname(file), match[1] ?? ''))),
  );

test.each(files)('%s → imports only parts below its own', (file) => {
  const part = partOf(file);
  const folder = (name: string) => name.split('/')[0] ?? '';
  expect(ALLOWED, `src/${file} belongs to no part of the house`).toHaveProperty([part]);
  for (const target of importsOf(file)) {
    if (folder(file) === 'commands' && folder(target) === 'commands') {
      // `ocr watch` is `ocr extract` for what comes: the same plan, batch and results.
      if (dirname(file) === 'commands/watch' && dirname(target) === 'commands/extract') continue;
      expect(dirname(target), `${file} imports another command: ${target}`).toBe(dirname(file));
      continue;
    }
    if (folder(target) === folder(file)) continue;
    expect(ALLOWED[part], `${file} → ${target}`).toContain(partOf(target));
  }
});

/** The folders that make a picture of a page. */
const DRAWN_PICTURES = ['stages/picture', 'stages/picture/decode', 'stages/picture/correct'];

/** The arrows inside the engine, from the innermost folder that is named. Files directly in engine/ are its ways in. */
const ENGINE_ALLOWED: Record<string, readonly string[]> = {
  model: [],
  'pdf-files': ['model'],
  'stages/text-layer': ['model', 'pdf-files'],
  'stages/picture': ['model', 'pdf-files'],
  'stages/picture/decode': ['model', 'pdf-files', 'stages/picture'],
  'stages/picture/find': ['model', 'stages/picture'],
  'stages/picture/correct': ['model', 'stages/picture', 'stages/picture/find'],
  'stages/recognise': [
    'model',
    'stages/picture',
    'stages/picture/decode',
    'stages/picture/find',
    'stages/picture/correct',
  ],
  'stages/layout': ['model'],
  'stages/render': ['model'],
  workers: ['model', 'pdf-files'],
  reading: [
    'model',
    'pdf-files',
    'stages/text-layer',
    ...DRAWN_PICTURES,
    'stages/picture/find',
    'stages/recognise',
    'workers',
  ],
  products: ['model', 'pdf-files', 'stages/text-layer', ...DRAWN_PICTURES, 'workers'],
};
/** Plain facts that every part of the engine may know: types of files, and the pages that a file has or an expression names. */
const ENGINE_SHARED = ['engine/sniff.ts', 'engine/select-pages.ts', 'engine/count-pages.ts'];

test.each(files.filter((file) => /^engine\/.+\//.test(file)))('%s → imports only stages before its own', (file) => {
  const roomOf = (path: string) =>
    Object.keys(ENGINE_ALLOWED)
      .filter((room) => path.startsWith(`engine/${room}/`))
      .at(-1);
  const room = roomOf(file) ?? '';
  expect(ENGINE_ALLOWED, `${file} belongs to no part of the engine`).toHaveProperty([room]);
  for (const target of importsOf(file)) {
    if (ENGINE_SHARED.includes(target) || roomOf(target) === room) continue;
    expect(ENGINE_ALLOWED[room], `${file} → ${target}`).toContain(roomOf(target));
  }
});

test('every file but one → gives no signal to Node’s sleep, which rejects with its own error and not with the signal’s reason', () => {
  const isRaw = (text: string) => /timers\/promises/.test(text) && /\bsleep\([^;]*signal/i.test(text);
  expect(files.filter((file) => isRaw(readFileSync(join(src, file), 'utf8')))).toEqual(['contract/sleep.ts']);
});

test('imports of files, those of types too → no circle', () => {
  expect(findCircles(new Map(files.map((file) => [file, importsOf(file)])))).toEqual([]);
});

test('imports between neighbouring folders → no circle', () => {
  const imports = new Map<string, Set<string>>();
  for (const file of files) {
    for (const target of importsOf(file)) {
      const [from, to] = partWays(file, target);
      // A file right beside the folder is its way in, or what the folders share.
      if (!files.includes(from) && !files.includes(to)) imports.set(from, (imports.get(from) ?? new Set()).add(to));
    }
  }
  expect(findCircles(imports)).toEqual([]);
});

function findCircles(imports: ReadonlyMap<string, Iterable<string>>): string[] {
  const circles: string[] = [];
  const done = new Set<string>();
  const visit = (name: string, above: string[]): void => {
    if (above.includes(name)) circles.push([...above.slice(above.indexOf(name)), name].join(' → '));
    if (above.includes(name) || done.has(name)) return;
    for (const target of imports.get(name) ?? []) visit(target, [...above, name]);
    done.add(name);
  };
  for (const name of imports.keys()) visit(name, []);
  return circles;
}

/** Two paths, each cut after the first name in which they differ. */
function partWays(a: string, b: string): [string, string] {
  const [namesOfA, namesOfB] = [a.split('/'), b.split('/')];
  const shared = namesOfA.findIndex((name, index) => name !== namesOfB[index]);
  return [namesOfA.slice(0, shared + 1).join('/'), namesOfB.slice(0, shared + 1).join('/')];
}
