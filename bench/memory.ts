import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeBook, writeScans, writeSlips } from './long-documents.js';
import { createHome, ROOT } from './ocr-command.js';
import { listTree, readMemoryBytes } from './process-tree.js';
import { start } from './service-calls.js';

const MIB = 1024 * 1024;
const SAMPLE_MS = 200;
const GOAL_MIB = 600;

/** `npm run bench -- memory`: the most that the command, the service and its document processes hold together. */
export async function printMemory(files: readonly string[]): Promise<void> {
  if (process.platform !== 'linux') return console.log('not measured: /proc is Linux’s');
  const directory = mkdtempSync(join(tmpdir(), 'ocr-bench-memory-'));
  try {
    const made = async () => [
      await writeBook(directory, 619),
      await writeSlips(directory, 1000),
      (await writeScans(directory, 24)).tiff,
    ];
    for (const file of files.length > 0 ? files : await made()) await printPeak(file, directory);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

/** By a service of its own, so that no document stands on what another left. */
async function printPeak(file: string, directory: string): Promise<void> {
  const dataDir = mkdtempSync(join(directory, 'data-'));
  const home = createHome();
  const children: ChildProcess[] = [];
  try {
    const listening = await start(children, [
      ...[join(ROOT, 'bin/ocr.js'), 'serve', '--port', '0'],
      ...['--data-dir', dataDir, '--json'],
    ]);
    const { url } = JSON.parse(listening) as { url: string };
    const key = readFileSync(join(dataDir, 'api-key'), 'utf8').trim();
    const command = home.ocr('extract', '--fresh', '--wait-timeout', '2h', file);
    const env = { ...process.env, ...command.env, OCR_BASE_URL: url, OCR_API_KEY: key };
    const startedAt = performance.now();
    const extract = spawn(command.file, command.args, { env, stdio: ['ignore', 'ignore', 'inherit'] });
    children.push(extract);
    const peak = await samplePeak(children, extract);
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
    const parts = peak.parts.map((bytes) => Math.round(bytes / MIB)).join(' + ');
    const total = Math.round(peak.totalBytes / MIB);
    console.log(
      `${(file.split('/').at(-1) ?? file).padEnd(24)} ${total} MiB at most (${parts})   in ${seconds} s   goal ≤ ${GOAL_MIB} MiB`,
    );
  } finally {
    for (const child of children) child.kill('SIGTERM');
    await Promise.all(
      children.map(
        (child) => child.exitCode ?? child.signalCode ?? new Promise((resolve) => child.once('exit', resolve)),
      ),
    );
    home.remove();
  }
}

/** The moment at which all of them held most, each process by itself. */
function samplePeak(roots: readonly ChildProcess[], command: ChildProcess) {
  return new Promise<{ totalBytes: number; parts: number[] }>((resolve, reject) => {
    let peak = { totalBytes: 0, parts: [] as number[] };
    const timer = setInterval(() => {
      const parts = roots.flatMap(({ pid }) => (pid === undefined ? [] : listTree(pid))).map(readMemoryBytes);
      const totalBytes = parts.reduce((sum, bytes) => sum + bytes, 0);
      if (totalBytes > peak.totalBytes) peak = { totalBytes, parts };
    }, SAMPLE_MS);
    command.once('exit', (code) => {
      clearInterval(timer);
      if (code === 0) resolve(peak);
      else reject(new Error(`ocr extract ended with ${code}`));
    });
  });
}
