import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { median } from './median.js';
import { ROOT } from './ocr-command.js';
import { createOrganisations } from './organisations.js';
import { listTree, readMemoryBytes } from './process-tree.js';
import { type Answer, makeUnlike, multipart, send } from './service-calls.js';
import { type BenchService, withService } from './with-service.js';

const CALLS = 15;
const PAUSE_MS = 150;
/** Time after which the long documents run at their lower priority, and a process is ready for others. */
const SETTLE_MS = 6_000;
const MEBIBYTE = 1024 * 1024;

interface Short {
  name: string;
  goal: number;
  function: string;
  bytes: Buffer;
}

/**
 * `npm run bench -- waiting`: calls with short documents, one after the other, on an idle service and while every worker reads
 * a long scan of the same organisation and more of them wait.
 */
export async function printWaiting(): Promise<void> {
  const read = (name: string) => readFileSync(join(ROOT, name));
  const shorts: Short[] = [
    { name: 'a text PDF of two pages', goal: 3, function: 'TEXT_EXTRACTION', bytes: composeTextPdf() },
    { name: 'its inspection', goal: 3, function: 'DOCUMENT_INSPECTION', bytes: composeTextPdf() },
    { name: 'a scan of one page', goal: 5, function: 'TEXT_EXTRACTION', bytes: read('test/fixtures/paragraph.png') },
  ];
  for (const workers of [1, 2]) await printBesideScans(workers, shorts, read('test/fixtures/hundred-scanned.pdf'));
}

async function printBesideScans(workers: number, shorts: readonly Short[], scan: Buffer): Promise<void> {
  const measureService = async ({ url, pid, dataDir, agent, kill }: BenchService) => {
    const [key = ''] = (await createOrganisations(dataDir, 1)).map((organisation) => organisation.key);
    const post = (name: string, bytes: Buffer, headers: Record<string, string> = {}) =>
      send(agent, `${url}/v1/ocr/${name}`, { 'x-api-key': key, ...headers }, multipart(makeUnlike(bytes)));
    const measureAll = async () => {
      const times: number[][] = [];
      for (const short of shorts) times.push(await measure(() => post(short.function, short.bytes)));
      return times;
    };
    await measureAll();
    const idle = await measureAll();
    for (let i = 0; i < workers + 4; i++) await post('TEXT_EXTRACTION', scan, { prefer: 'respond-async' });
    await sleep(SETTLE_MS);
    const beside = await measureAll();
    const bytes = listTree(pid).reduce((sum, process) => sum + readMemoryBytes(process), 0);
    for (const [index, { name, goal }] of shorts.entries()) {
      const [alone, busy] = [median(idle[index] ?? []), median(beside[index] ?? [])];
      console.log(
        `${`${name}, ${workers} of ${workers} workers busy`.padEnd(50)} alone ${alone.toFixed(0).padStart(5)} ms   ` +
          `beside long scans ${busy.toFixed(0).padStart(5)} ms   slowest ${Math.max(...(beside[index] ?? []))
            .toFixed(0)
            .padStart(5)} ms   ` +
          `ratio ${(busy / alone).toFixed(1)}   goal ≤ ${goal}`,
      );
    }
    console.log(`all processes together: ${(bytes / MEBIBYTE).toFixed(0)} MiB`);
    // Its long documents are not waited for.
    kill();
  };
  await withService(measureService, { flags: ['--workers', String(workers)] });
}

async function measure(call: () => Promise<Answer>): Promise<number[]> {
  const times: number[] = [];
  for (let i = 0; i < CALLS; i++) {
    const { status, ms } = await call();
    if (status !== 200) throw new Error(`the call was answered ${status}`);
    times.push(ms);
    await sleep(PAUSE_MS);
  }
  return times;
}

const LINES = 40;

/** A PDF of two pages of text. */
function composeTextPdf(): Buffer {
  const text = (page: number) =>
    Array.from(
      { length: LINES },
      (_, line) =>
        `1 0 0 1 60 ${760 - line * 17} Tm (Line ${line + 1} of page ${page}: the bell rings before closing.) Tj`,
    ).join('\n');
  const content = (page: number) => {
    const stream = `BT /F1 11 Tf ${text(page)} ET`;
    return `<< /Length ${stream.length} >>\nstream\n${stream}\nendstream`;
  };
  const page = (contents: number) =>
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents ${contents} 0 R /Resources << /Font << /F1 7 0 R >> >> >>`;
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R 4 0 R] /Count 2 >>',
    page(5),
    page(6),
    content(1),
    content(2),
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  ];
  let file = '%PDF-1.7\n';
  const offsets = objects.map((object, index) => {
    const offset = file.length;
    file += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return `${String(offset).padStart(10, '0')} 00000 n \n`;
  });
  const xref = `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${offsets.join('')}`;
  return Buffer.from(
    `${file}${xref}trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${file.length}\n%%EOF\n`,
  );
}
