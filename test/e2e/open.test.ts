import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { execa } from 'execa';
import { expect, test } from 'vitest';
import { documents, examples } from '../fixtures/manifest.js';
import { startContractServer } from '../support/contract-server.js';
import { installAs } from '../support/install-as.js';
import { evilLayout, openUnsure, useOpenPages } from '../support/open-pages.js';
import { openTerminal } from '../support/pty.js';
import { runInProcess } from '../support/run-in-process.js';

const home = useOpenPages();

const run = async (...args: string[]) => await runInProcess(args, { home });
const all = (pattern: RegExp, text: string) => [...text.matchAll(pattern)].map((match) => match[1] ?? match[0]);

/** Makes the page of a file and returns its text. */
async function pageOf(file: string, ...flags: string[]): Promise<string> {
  const made = await run('open', file, '-o', '-', ...flags);
  expect(made.exitCode, made.stderr).toBe(0);
  return made.stdout;
}

/** Adds another name of the document to the record of a job. */
function addName(jobId: string, name: string): void {
  const kept = readdirSync(home.stateDir, { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.json'),
  );
  const paths = kept
    .map((file) => join(home.stateDir, file))
    .filter((path) => readFileSync(path, 'utf8').includes(`"jobId": "${jobId}"`));
  expect(paths).toHaveLength(1);
  for (const path of paths) {
    const record = JSON.parse(readFileSync(path, 'utf8'));
    record.input.otherNames = [name];
    writeFileSync(path, JSON.stringify(record, null, 2));
  }
}

test('a file → a page in the cache, for its user alone, under its name', async () => {
  const made = await run('open', 'report.pdf');
  expect(made).toMatchObject({ exitCode: 0, stderr: '' });
  const path = made.stdout.trim();
  expect(path).toMatch(/\/cache\/pages\/report\.pdf-[0-9a-f]{8}\.html$/);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(statSync(join(home.dir, 'cache', 'pages')).mode & 0o777).toBe(0o700);
  const old = join(home.dir, 'cache', 'pages', 'old.html');
  writeFileSync(old, '');
  utimesSync(old, 0, 0);
  const json = await run('open', 'report.pdf', '--json');
  expect(JSON.parse(json.stdout)).toMatchObject({
    input: 'report.pdf',
    output: path,
    pages: 4,
    pictures: 4,
    notes: [],
  });
  const kept = readdirSync(join(home.dir, 'cache', 'pages'));
  expect(kept).toContain(path.split('/').at(-1));
  expect(kept).not.toContain('old.html');
});

test('a cache that cannot be written → said once, and the page is a temporary file for its user alone', async () => {
  const env = { OCR_CACHE_DIR: '/proc/nowhere', TMPDIR: home.dir };
  const made = await runInProcess(['open', 'report.pdf', '--pages', '1'], { home, env });
  expect(made.exitCode).toBe(0);
  expect(made.stderr).toMatch(
    /^The page is not kept: \/proc\/nowhere\/pages cannot be written \(.*OCR_CACHE_DIR.*\)\n$/,
  );
  const path = made.stdout.trim();
  expect(path).toMatch(/\/ocr-page-\w+\/report\.pdf-[0-9a-f]{8}\.html$/);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(statSync(dirname(path)).mode & 0o777).toBe(0o700);
});

test('the page → pictures, a box for each line, tables as tables, no address of anything else', async () => {
  const page = await pageOf('report.pdf');
  expect(all(/<section class="page" id="page-(\d+)"/g, page)).toEqual(['1', '2', '3', '4']);
  expect(all(/src="data:image\/webp;base64,UklGR[^"]+"/g, page)).toHaveLength(4);
  // A picture that is decoded later is missing from a screenshot that is taken at once.
  expect(page).not.toContain('decoding="async"');
  const pieces = all(/data-piece="([\d-]+)"/g, page);
  expect(all(/data-box="([\d-]+)"/g, page)).toEqual(pieces);
  expect(pieces.length).toBeGreaterThan(50);
  expect(page).toMatch(/<table><tbody><tr><td><span class="piece"[^>]*>Branch</);
  const policy = all(/http-equiv="Content-Security-Policy" content="([^"]+)"/g, page)[0] ?? '';
  expect(policy).toMatch(
    /^default-src &#39;none&#39;; img-src data:; style-src &#39;sha256-[\w+/=]+&#39;; script-src &#39;sha256-[\w+/=]+&#39;; base-uri &#39;none&#39;; form-action &#39;none&#39;$/,
  );
  expect(all(/(?:src|href)="(?!data:|#)[^"]*"/g, page)).toEqual([]);
  expect(page).not.toMatch(/\bfetch\(|XMLHttpRequest|WebSocket|@import|url\(/);
});

test('a job or its request → the same lines; its document changed or gone → no pictures, and why', async () => {
  copyFileSync(documents.landscapeRotated.path, join(home.dir, 'sent.pdf'));
  const sent = JSON.parse((await run('extract', '-f', 'layout', '--no-wait', '--json', 'sent.pdf')).stdout);
  // The same job under another name, as the record of a command has it that joined it in time.
  copyFileSync(documents.landscapeRotated.path, join(home.dir, 'again.pdf'));
  addName(sent.jobId, 'again.pdf');
  const lines = (page: string) => all(/<span class="piece"[^>]*>([^<]*)/g, page);
  const page = await pageOf(sent.jobId);
  expect(page).toContain('src="data:image/webp');
  expect(lines(page)).toEqual(lines(await pageOf('sent.pdf')));
  expect(lines(await pageOf(`(${sent.requestId}).`))).toEqual(lines(page));
  writeFileSync(join(home.dir, 'sent.pdf'), 'changed');
  expect(await pageOf(sent.jobId)).toContain('src="data:image/webp');
  rmSync(join(home.dir, 'again.pdf'));
  const changed = await pageOf(sent.jobId);
  expect(changed).not.toContain('image/webp');
  expect(changed).toContain('The pages have no pictures: sent.pdf has changed since it was sent');
  expect(lines(changed)).toEqual(lines(page));
  const elsewhere = await runInProcess(['open', sent.requestId, '-o', '-'], { home, cwd: dirname(home.dir) });
  expect(elsewhere.stdout).toContain('there is no sent.pdf here any more');
});

test('an answer that came at once, and results of other functions → shown as what they are', async () => {
  const answer = JSON.parse((await run('extract', '--json', 'report.pdf')).stdout);
  const text = await run('open', answer.requestId, '--json');
  expect(JSON.parse(text.stdout)).toMatchObject({ function: 'TEXT_EXTRACTION', pages: 4 });
  expect(JSON.parse(text.stdout).notes[0]).toMatch(/^The result of TEXT_EXTRACTION gives text without the places/);
  const tables = JSON.parse((await run('extract', '-f', 'tables', '--json', 'report.pdf')).stdout);
  expect(await pageOf(tables.requestId)).toMatch(/<table>[\s\S]*data-piece/);
  const inspected = JSON.parse((await run('extract', '-f', 'inspect', '--json', 'report.pdf')).stdout);
  expect(await pageOf(inspected.requestId)).toMatch(/<pre tabindex="0">\{/);
});

test('--pages → these pages alone are read and shown', async () => {
  const page = await pageOf('report.pdf', '--pages', '2,-1');
  expect(all(/id="page-(\d+)"/g, page)).toEqual(['2', '4']);
  expect(await run('open', 'report.pdf', '--pages', '3-1')).toMatchObject({ exitCode: 2 });
  expect((await run('open', 'report.pdf', '--pages', '9')).exitCode).not.toBe(0);
});

test('what cannot be → its exit code, before anything is sent', async () => {
  writeFileSync(join(home.dir, 'there.html'), '');
  expect(await run('open', 'report.pdf', '-o', 'there.html')).toMatchObject({ exitCode: 2 });
  expect(await run('open', 'report.pdf', '-o', 'report.pdf', '--force')).toMatchObject({ exitCode: 2 });
  expect(await run('open', 'report.pdf', '-o', '-', '--json')).toMatchObject({ exitCode: 2 });
  expect(await run('open', 'absent.pdf')).toMatchObject({ exitCode: 5, stderr: 'ocr: No such file: absent.pdf\n' });
  for (const id of ['job_00000000000000000000000000', 'req_00000000000000000000000000'])
    expect(await run('open', id)).toMatchObject({ exitCode: 5, stderr: expect.stringContaining(id) });
  mkdirSync(join(home.dir, 'folder'), { recursive: true });
  expect(await run('open', 'folder')).toMatchObject({
    exitCode: 2,
    stderr: 'ocr: folder is a directory\nName a file of it. Whole directories: ocr extract\n',
  });
  symlinkSync('nowhere.pdf', join(home.dir, 'dangling.pdf'));
  expect(await run('open', 'dangling.pdf')).toMatchObject({
    exitCode: 5,
    stderr: expect.stringContaining('link to nowhere.pdf'),
  });
  expect(await run('open', '')).toMatchObject({ exitCode: 2 });
  writeFileSync(join(home.dir, 'a.txt'), 'a text');
  expect((await run('open', './a.txt')).stderr).toMatch(
    /^ocr: \.\/a\.txt: The file is plain text, which LAYOUT_ANALYSIS does not read .*\nIt is text already: there is nothing to recognise in it\.\n$/,
  );
  writeFileSync(join(home.dir, 'empty.pdf'), '');
  expect(await run('open', 'empty.pdf')).toMatchObject({ exitCode: 2, stderr: 'ocr: empty.pdf is empty\n' });
  expect(await run('open', 'there.html', '-o', 'there.html', '--force')).toMatchObject({ exitCode: 2 });
});

test('without the optional packages → no service on this machine, or no pictures; the remedy is one', async () => {
  const launcher = installAs('0.1.0', { withOptional: false });
  const remedy = /npm install --include=optional --omit=dev --prefix [^\s<]+/;
  const start = (env: Record<string, string>) =>
    execa(process.execPath, [launcher, 'open', 'report.pdf', '-o', '-'], {
      cwd: home.dir,
      env: { ...home.env, ...env },
      extendEnv: false,
      reject: false,
    });
  const local = await start({ OCR_BASE_URL: '', OCR_API_KEY: '' });
  expect(local).toMatchObject({ exitCode: 2, stdout: '' });
  expect(local.stderr).toContain('The service on this machine is not installed: ');
  const remote = await start({});
  expect(remote).toMatchObject({ exitCode: 0 });
  expect(remote.stdout).toContain('data-piece="1-0"');
  expect(remote.stdout).toContain('The pages have no pictures: ');
  expect(remedy.exec(remote.stdout)).not.toBeNull();
  expect(remedy.exec(remote.stdout)?.[0]).toBe(remedy.exec(local.stderr)?.[0]);
});

test('a page on a terminal → opened by BROWSER; with --no-input, over SSH → its path alone', async () => {
  const program = join(home.dir, 'browser.sh');
  writeFileSync(program, '#!/bin/sh\nprintf "%s\\n" "$@" >> opened\n');
  chmodSync(program, 0o755);
  const start = async (args: string[], env: Record<string, string>) => {
    const terminal = openTerminal(['open', 'report.pdf', '--pages', '1', ...args], { home, env });
    expect((await terminal.exited).exitCode, terminal.shown).toBe(0);
    return terminal.shown;
  };
  await start([], { BROWSER: program, SSH_TTY: '/dev/pts/0' });
  const opened = () => readFileSync(join(home.dir, 'opened'), 'utf8').trim().split('\n');
  expect(opened()).toEqual([expect.stringMatching(/^file:\/\/\/.*report\.pdf-[0-9a-f]{8}\.html$/)]);
  await start(['--no-input'], { BROWSER: program });
  expect(opened()).toHaveLength(1);
  expect(await start([], {})).toMatch(/report\.pdf-[0-9a-f]{8}\.html\s+No browser was opened: there is no display/);
}, 180_000);

test('a locked document → its password is asked for until it opens, and is kept nowhere', async () => {
  const { path, password } = documents.encrypted;
  copyFileSync(path, join(home.dir, 'locked.pdf'));
  const piped = await run('open', 'locked.pdf');
  expect(piped.exitCode).toBe(1);
  expect(piped.stderr).toContain('On a terminal this command asks for the password of a file');
  const terminal = openTerminal(['open', 'locked.pdf', '-o', 'page.html'], { home });
  await terminal.waitFor(/^Password of locked\.pdf: /m);
  terminal.type('wrong\r');
  await terminal.waitFor(/It does not open with that\. Password of locked\.pdf: /);
  terminal.type(`${password}\r`);
  expect((await terminal.exited).exitCode, terminal.shown).toBe(0);
  const page = readFileSync(join(home.dir, 'page.html'), 'utf8');
  expect(page).toContain('To the members of the committee');
  expect(page).toContain('src="data:image/');
  const kept = readdirSync(home.stateDir, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const texts = kept.map(({ parentPath, name }) => readFileSync(join(parentPath, name), 'utf8'));
  for (const text of [terminal.shown, page, ...texts]) expect(text).not.toContain(password);
}, 60_000);

test('text of a hostile document or service → text, in every place of the page', async () => {
  const server = await startContractServer();
  try {
    server.script.post = [{ body: evilLayout() }];
    const name = '<img src=x onerror=alert(1)>.pdf';
    copyFileSync(examples.report.path, join(home.dir, name));
    const made = await runInProcess(['open', name, '-o', 'evil.html'], { home, env: server.env });
    expect(made.exitCode, made.stderr).toBe(0);
    const page = readFileSync(join(home.dir, 'evil.html'), 'utf8');
    expect(all(/<script/g, page)).toHaveLength(1);
    expect(page).not.toMatch(/<img src=x|onerror="/);
    expect(page.match(/&lt;script&gt;/g)?.length).toBeGreaterThan(4);
  } finally {
    await server.close();
  }
});

test('unsure words → marked in the text, boxed in the picture, and counted', async () => {
  await openUnsure(home, 'unsure.html');
  const page = readFileSync(join(home.dir, 'unsure.html'), 'utf8');
  expect(all(/<mark title="50 % sure">(\w+)<\/mark>/g, page)).toEqual(['wrd', 'wrrd']);
  expect(all(/<rect class="unsure"/g, page)).toHaveLength(2);
  expect(page).toContain('2 unsure words');
});
