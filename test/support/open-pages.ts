import { copyFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect } from 'vitest';
import { examples } from '../fixtures/manifest.js';
import { startContractServer } from './contract-server.js';
import { runInProcess } from './run-in-process.js';
import { startServe } from './serve.js';
import { createHome, type TemporaryHome } from './temporary-home.js';

/** Starts a service for the tests of a file, and returns the home of a user of it, who has `report.pdf`. */
export function useOpenPages(): TemporaryHome {
  const [service, home] = [createHome(), createHome()];
  let serving: Awaited<ReturnType<typeof startServe>> | undefined;
  beforeAll(async () => {
    serving = await startServe(service);
    const key = readFileSync(join(service.dataDir, 'api-key'), 'utf8').trim();
    Object.assign(home.env, { OCR_BASE_URL: serving.url, OCR_API_KEY: key });
    copyFileSync(examples.report.path, join(home.dir, 'report.pdf'));
  });
  afterAll(async () => {
    await serving?.stop();
    for (const one of [service, home]) one.remove();
  });
  return home;
}

const EVIL = `"><img src=x onerror="document.title='owned'"></style></script><script>document.title='owned'</script>`;
/** A layout in which every text is markup that would run. */
export const evilLayout = () => {
  const box = [0.1, 0.1, 0.9, 0.2];
  const words = [{ text: EVIL, confidence: 0.1, box }];
  const lines = [{ text: EVIL, box, confidence: 0.1, direction: EVIL, words }];
  const cells = [{ row: 0, column: 0, rowSpan: EVIL, columnSpan: 1, text: EVIL, box }];
  const blocks = [
    { kind: EVIL, box, text: EVIL, lines },
    { kind: 'heading', level: EVIL, box, text: EVIL, lines },
    { kind: 'table', box, text: EVIL, lines, table: { rows: 1, columns: 1, cells } },
  ];
  const page = { page: 1, width: 100, height: 100, unit: EVIL, rotation: EVIL, source: EVIL, blocks };
  return {
    requestId: EVIL,
    jobId: EVIL,
    function: 'LAYOUT_ANALYSIS',
    result: { pages: [page] },
    meta: { warnings: EVIL },
  };
};

/** A layout of two lines with an unsure word each. */
const unsureLayout = () => {
  const lines = ['first wrd here', 'second wrrd there'].map((text, index) => {
    const y = 0.1 + index / 10;
    const words = text.split(' ').map((word, at) => ({
      text: word,
      confidence: word.startsWith('wr') ? 0.5 : 0.99,
      box: [0.1 + at / 5, y, 0.25 + at / 5, y + 0.05],
    }));
    return { text, box: [0.1, y, 0.9, y + 0.05], confidence: 0.8, words };
  });
  const blocks = [{ kind: 'paragraph', box: [0.1, 0.1, 0.9, 0.3], text: 'x', lines }];
  const page = { page: 1, width: 100, height: 100, unit: 'point', rotation: 0, source: 'ocr', blocks };
  return { requestId: 'req_1', function: 'LAYOUT_ANALYSIS', result: { pages: [page] }, meta: {} };
};

/** Makes the page of that layout, as a file of this name. */
export async function openUnsure(home: TemporaryHome, name: string): Promise<void> {
  const server = await startContractServer();
  try {
    server.script.post = [{ body: unsureLayout() }];
    const made = await runInProcess(['open', 'report.pdf', '-o', name, '--force'], { home, env: server.env });
    expect(made.exitCode, made.stderr).toBe(0);
    // The page is the delivery: nothing is left to fetch.
    const requests = await runInProcess(['requests', '--json'], { home, env: server.env });
    expect(JSON.parse(requests.stdout)[0]).toMatchObject({ requestId: 'req_1', finishedAt: expect.any(String) });
  } finally {
    await server.close();
  }
}
