import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { renderReference } from '../../docs/make/render-reference.js';
import type { Invocation } from '../../src/cli/declare.js';
import { createProgram } from '../../src/cli.js';
import { EXIT_MEANINGS } from '../../src/contract/exit-codes.js';
import { loadServiceConfig, variableOf } from '../../src/service/config/service-config.js';

const read = (name: string) => readFileSync(new URL(`../../docs/${name}`, import.meta.url), 'utf8');

test('docs/reference.md → the command tree as rendered (npm run docs writes it)', async () => {
  expect(read('reference.md')).toBe(renderReference(await createProgram(async () => {}).describe()));
});

test('docs/exit-codes.md → every code with its meaning', () => {
  const rows = read('exit-codes.md').matchAll(/^\| (\d+) \| ([^|]+) \|/gm);
  const documented = new Map([...rows].map(([, code, meaning]) => [Number(code), meaning?.trim() ?? '']));
  expect([...documented.keys()]).toEqual(EXIT_MEANINGS.map(([code]) => code));
  for (const [code, meaning] of EXIT_MEANINGS) expect(meaning).toContain(documented.get(code)?.split(';')[0]);
});

/** The files that print each list; their arrays of columns hold strings and `name: '…'`. */
const LISTS: Record<string, string> = {
  'ocr extract --dry-run': 'extract/dry-run.ts',
  'ocr jobs': 'jobs/list.ts',
  'ocr requests': 'requests/list.ts',
  'ocr functions': 'functions/list.ts',
  'ocr config': 'config/list.ts',
  'ocr serve --print-config': 'serve.ts',
  'ocr admin orgs': 'admin/orgs/list.ts',
  'ocr admin keys': 'admin/keys/list.ts',
  'ocr admin plans': 'admin/plans/rows.ts',
  'ocr admin jobs': 'admin/jobs/list.ts',
  'ocr admin requests': 'admin/requests/list.ts',
  'ocr admin webhooks': 'admin/webhooks/list.ts',
  'ocr admin webhooks deliveries': 'admin/webhooks/deliveries.ts',
};

test.each(Object.entries(LISTS))('the piped columns of %s in docs/scripting.md → those of its code', (list, file) => {
  const code = readFileSync(new URL(`../../src/commands/${file}`, import.meta.url), 'utf8');
  const [, array = ''] = /(?:COLUMNS[^=]*=\s*|table\(\s*)\[([\s\S]*?)\](?:;|,\s)/.exec(code) ?? [];
  const columns = [...array.matchAll(/'([^']*)'/g)].flatMap(([, name = '']) =>
    /^(?:early|narrow|narrowest|empty|)$/.test(name) ? [] : [name],
  );
  const rows = [...read('scripting.md').matchAll(/^\| `(ocr [^`]+)` \| ([^|]+) \|$/gm)];
  const documented = rows.find(([, name]) => name === list)?.[2] ?? '';
  const required = documented.replace(/ \(.*/, '').replace(/,$/, '');
  expect(required.split(', ')).toEqual(columns.filter((name) => name !== 'From' || list.includes('serve')));
  expect(rows.map(([, name]) => name)).toEqual(Object.keys(LISTS));
});

test('docs/help.txt → the output of --help (npm run docs writes it)', async () => {
  let help = '';
  await createProgram(async () => {}).run(['--help'], async (text) => {
    help += text;
  });
  expect(read('help.txt')).toBe(help);
});

test('the table of settings in docs/service.md → every setting of the service', () => {
  const table = read('service.md')
    .split('\n')
    .filter((line) => /^\| [a-z]\w+(?:, \w+)* \| OCR_SERVE_/.test(line))
    .flatMap(
      (line) =>
        line
          .split('|')[1]
          ?.split(',')
          .map((name) => name.trim()) ?? [],
    );
  const { config } = loadServiceConfig({ flags: {}, env: {} });
  expect(table.sort()).toEqual(Object.keys(config).sort());
});

test.each(['ocr', 'ocr-api', 'ocr-worker'])(
  '%s.service → starts a known command and waits for open calls',
  async (name) => {
    const unit = readFileSync(new URL(`../../examples/service/${name}.service`, import.meta.url), 'utf8');
    const value = (name: string) => new RegExp(`^${name}=(.*)$`, 'm').exec(unit)?.[1] ?? '';
    const [program, ...args] = value('ExecStart').split(' ');
    expect(program).toMatch(/\/ocr$/);
    let invoked: Invocation | undefined;
    await createProgram(async (invocation) => {
      invoked = invocation;
    }).run(args, async () => {});
    expect(invoked).toMatchObject({ path: 'serve', options: { dataDir: `/var/lib/${value('StateDirectory')}` } });
    // The service answers open calls for up to 30 seconds.
    expect(Number(value('TimeoutStopSec'))).toBeGreaterThan(30);
    expect(value('OOMPolicy')).toBe('continue');
  },
);

test('compose.yml → starts known commands with known settings', async () => {
  const text = readFileSync(new URL('../../examples/service/compose.yml', import.meta.url), 'utf8');
  const commands = [...text.matchAll(/command: \[(.+)\]/g)].map(([, words = '']) => words.split(', '));
  const paths: string[] = [];
  for (const args of commands) await createProgram(async ({ path }) => void paths.push(path)).run(args, async () => {});
  expect(paths.sort()).toEqual(['admin migrate', 'serve', 'serve']);
  const variables = [...text.matchAll(/OCR_SERVE_[A-Z_]+/g)].map(([name]) => name);
  const { config } = loadServiceConfig({ flags: {}, env: {} });
  expect(Object.keys(config).map(variableOf)).toEqual(expect.arrayContaining(variables));
});

test('the Containerfile → copies files that exist, sets known settings, does not run as root', () => {
  const text = readFileSync(new URL('../../examples/service/Containerfile', import.meta.url), 'utf8');
  const copied = [...text.matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, names = '']) => names.split(' '));
  for (const name of copied) expect(existsSync(new URL(`../../${name}`, import.meta.url)), name).toBe(true);
  expect(text).toMatch(/^USER node$/m);
  expect(text).toMatch(/^VOLUME \/var\/lib\/ocr$/m);
  const variables = [...text.matchAll(/OCR_SERVE_[A-Z_]+/g)].map(([name]) => name);
  const { config } = loadServiceConfig({ flags: {}, env: {} });
  expect(Object.keys(config).map(variableOf)).toEqual(expect.arrayContaining(variables));
});

test('decisions → each has a number of its own and a line in the index', () => {
  const directory = new URL('../../docs/decisions/', import.meta.url);
  const files = readdirSync(directory).filter((name) => /^\d/.test(name));
  const numbers = files.map((name) => name.slice(0, 3));
  expect(numbers).toEqual([...new Set(numbers)]);
  const listed = [...read('decisions/README.md').matchAll(/^- \[\d+\]\((.+?)\)/gm)].map(([, name]) => name);
  expect(listed).toEqual(files.sort());
});

test('links of README and docs → files and headings that exist', () => {
  const root = new URL('../../', import.meta.url);
  const inDocs = readdirSync(new URL('docs/', root), { recursive: true, encoding: 'utf8' });
  const pages = [
    'README.md',
    'ARCHITECTURE.md',
    'examples/README.md',
    'CHANGELOG.md',
    'bench/RESULTS.md',
    ...inDocs.map((name) => `docs/${name}`),
  ];
  const toAnchor = (heading: string) =>
    heading
      .toLowerCase()
      .replace(/[^\w\- ]/g, '')
      .replaceAll(' ', '-');
  for (const page of pages.filter((name) => name.endsWith('.md'))) {
    const text = readFileSync(new URL(page, root), 'utf8');
    for (const [, target = ''] of text.matchAll(/\]\((?!https?:)([^)\s]+)\)/g)) {
      const [path = '', anchor] = target.split('#');
      const file = path === '' ? new URL(page, root) : new URL(path, new URL(page, root));
      expect(existsSync(file), `${page}: ${target}`).toBe(true);
      if (anchor === undefined) continue;
      const headings = [...readFileSync(file, 'utf8').matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
        toAnchor(heading),
      );
      expect(headings, `${page}: ${target}`).toContain(anchor);
    }
  }
});

test.each(['ARCHITECTURE.md', 'src/engine/README.md', 'docs/a-new-function.md'])(
  'paths in %s, and names behind them → files that exist and hold the name',
  (page) => {
    const root = new URL('../../', import.meta.url);
    const text = readFileSync(new URL(page, root), 'utf8').replaceAll(/```[\s\S]*?```/g, '');
    const named = [...text.matchAll(/`((?:bin|src|test|docs|bench|examples)\/[^`\s]*)`(?: `(\w+)`)?/g)];
    expect(named.length).toBeGreaterThan(0);
    for (const [, path = '', name] of named) {
      expect(existsSync(new URL(path, root)), `${page}: ${path}`).toBe(true);
      if (name !== undefined) expect(readFileSync(new URL(path, root), 'utf8'), `${page}: ${path}`).toContain(name);
    }
  },
);
