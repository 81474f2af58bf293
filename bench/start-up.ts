import { createHmac } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Suite } from './figure.js';
import { createHome, ROOT } from './ocr-command.js';
import { startSink } from './sink.js';

const SECRET = 'whsec_bench';
const BODY = '{"id":"del_1","type":"document.processed"}';

/** Measures the start of the tool beside the start of Node itself. */
export async function startUp(): Promise<Suite> {
  const sink = await startSink();
  const home = createHome({ OCR_BASE_URL: sink.baseUrl, OCR_API_KEY: 'bench', OCR_WEBHOOK_SECRET: SECRET });
  const dir = mkdtempSync(join(tmpdir(), 'ocr-bench-'));
  writeFileSync(join(dir, 'body.json'), BODY);
  const at = '1700000000';
  const digest = createHmac('sha256', SECRET).update(`${at}.${BODY}`).digest('hex');
  const signed = ['--at', at, '--signature', `t=${at},v1=${digest}`];
  const baseline = { file: process.execPath, args: ['-e', '0'] };
  const local = createHome();
  const read = local.ocr('extract', join(ROOT, 'examples/report.pdf'));
  const figure = (goal: number, ...args: string[]) => ({
    name: args.filter((arg) => !/[/=]|^\d/.test(arg)).join(' '),
    goal,
    baseline,
    metric: 'cpu' as const,
    ours: home.ocr(...args),
    runs: 21,
  });
  return {
    figures: [
      figure(1.15, '--version'),
      figure(1.4, '--help'),
      figure(1.75, 'verify-webhook', join(dir, 'body.json'), ...signed),
      figure(4, 'functions', 'list', '--json'),
      {
        name: 'the service on this machine: started, four pages of text, stopped',
        goal: 25,
        baseline,
        metric: 'wall',
        ours: {
          ...read,
          file: 'bash',
          args: ['-c', '"$0" "$@" && "$0" "$1" local stop', process.execPath, ...read.args],
        },
        runs: 7,
      },
    ],
    async stop() {
      sink.stop();
      home.remove();
      local.remove();
      rmSync(dir, { recursive: true, force: true });
    },
  };
}
