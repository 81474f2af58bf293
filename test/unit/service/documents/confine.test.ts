import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { findConfinement } from '../../../../dist/service/documents/confinement/find-confinement.js';
import { startDocumentProcess } from '../../../../dist/service/documents/process-handle.js';

const PROBE = fileURLToPath(new URL('../../../contract/support/probing-process.mjs', import.meta.url));
const MEMORY_BYTES = 2 ** 32;

type Limit = { soft: number | string; hard: number | string };
type Probed = Record<string, string> & { limits: Record<string, Limit> };

/** The abilities of a document process, tried by one. */
async function probe(name = 'data', programs: string[] = []) {
  const directory = mkdtempSync(join(tmpdir(), 'ocr-confine-test-'));
  const data = join(directory, name);
  mkdirSync(data);
  const readable = join(data, 'documents');
  mkdirSync(readable);
  const args = {
    readable: join(readable, 'a'),
    unreadable: join(directory, 'api-key'),
    writable: join(readable, 'b'),
    port: 0,
  };
  writeFileSync(args.readable, 'a');
  writeFileSync(args.unreadable, 'a');
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  args.port = (server.address() as AddressInfo).port;
  const system = await findConfinement({ dataDir: data, programs, furtherCode: [dirname(PROBE)] });
  const process = startDocumentProcess(PROBE, 'run', {
    system,
    memoryBytes: MEMORY_BYTES,
    room: readable,
    mayWrite: false,
    mayStartPrograms: programs.length > 0,
  });
  onTestFinished(async () => {
    await process.kill();
    server.close();
    rmSync(directory, { recursive: true, force: true });
  });
  const outcome = await process.perform(
    {
      type: 'run',
      function: 'TEST',
      path: args.readable,
      mimeType: '',
      args,
      maxPixels: 1,
      maxResultBytes: 1,
      parallelism: 1,
    },
    { timeoutMs: 20_000, idleTimeoutMs: 20_000, memoryBytes: MEMORY_BYTES },
    () => {},
  );
  if (outcome.type !== 'done') throw new Error(JSON.stringify(outcome));
  expect(existsSync(args.writable)).toBe(false);
  return JSON.parse(outcome.body) as Record<'here' | 'inThread', Probed>;
}

test.runIf(process.platform === 'linux')('a document process → reads documents, and nothing else', async () => {
  const { here, inThread } = await probe();
  for (const found of [here, inThread]) {
    expect(found).toMatchObject({
      readsItsDocument: 'yes',
      readsOthers: 'ERR_ACCESS_DENIED',
      writes: 'ERR_ACCESS_DENIED',
      startsPrograms: 'ERR_ACCESS_DENIED',
    });
  }
});

test.runIf(process.platform === 'linux').each(['a*b', 'a,b', 'a b'])(
  'a directory named "%s" → its documents are read',
  async (name) => {
    const { here } = await probe(name);
    expect(here).toMatchObject({ readsItsDocument: 'yes', startsPrograms: 'ERR_ACCESS_DENIED' });
  },
);

test.runIf(process.platform === 'linux')(
  'native Tesseract → the process may also start this program, and no other',
  async () => {
    const { here, inThread } = await probe('data', ['/usr/bin/true']);
    for (const found of [here, inThread]) {
      expect(found).toMatchObject({
        startsPrograms: 'yes',
        readsItsDocument: 'yes',
        readsOthers: 'ERR_ACCESS_DENIED',
        writes: 'ERR_ACCESS_DENIED',
      });
      expect(found.programWrites).toBe('refused');
    }
  },
);

test.runIf(process.platform === 'linux')(
  'a document process → limits of the system on core, file size, open files and memory',
  async () => {
    const { limits } = (await probe()).here;
    const of = (value: number) => ({ soft: value, hard: value });
    expect(limits.core_file_size_blocks).toEqual(of(0));
    expect(limits.file_size_blocks).toEqual(of(0));
    expect(limits.open_files).toEqual(of(256));
    expect(limits.data_seg_size_kbytes).toEqual(of(MEMORY_BYTES));
  },
);

test.runIf(canUnshareNetwork())('a document process → no network', async () => {
  const { here, inThread } = await probe();
  // Node 25 and later refuse it themselves.
  for (const found of [here, inThread]) expect(found.connects).toMatch(/^(?:ENETUNREACH|ERR_ACCESS_DENIED)$/);
});

function canUnshareNetwork(): boolean {
  try {
    execFileSync('unshare', ['--user', '--net', 'true'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
