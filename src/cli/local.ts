import type { Command } from './commander.js';
import { define, defineDefault, type Invoke, onRun, present, renderExamples } from './declare.js';
import { parseCount } from './parse-option.js';

export function declareLocal(local: Command, invoke: Invoke): void {
  local.addHelpText('after', renderExamples(['ocr local status', 'ocr local stop']));
  const nothing = () => ({});
  const localStatus = defineDefault(local, 'status', 'whether it is running, where, and what it is doing');
  localStatus.addHelpText('after', renderExamples(['ocr local status', 'ocr local status --json']));
  onRun(localStatus, invoke, async () => (await import('../commands/local/status.js')).status, nothing);
  const localStart = define(local, 'start', 'start it, or say where it is running');
  localStart.addHelpText('after', renderExamples(['ocr local start', 'ocr local start --json']));
  onRun(localStart, invoke, async () => (await import('../commands/local/start.js')).start, nothing);
  const localStop = define(local, 'stop', 'stop it; unfinished jobs go on at its next start')
    .option('--cancel', 'cancel the unfinished jobs instead')
    .addHelpText('after', renderExamples(['ocr local stop', 'ocr local stop --cancel']));
  onRun(
    localStop,
    invoke,
    async () => (await import('../commands/local/stop.js')).stop,
    (command) => ({ cancelsJobs: command.opts().cancel === true }),
  );
  const localLogs = define(local, 'logs', 'print its log')
    .option('-n, --lines <count>', 'number of lines from the end (100)', parseCount)
    .option('--follow', 'keep printing new lines')
    .addHelpText('after', renderExamples(['ocr local logs', 'ocr local logs -n 20']));
  onRun(
    localLogs,
    invoke,
    async () => (await import('../commands/local/logs.js')).logs,
    (command) => ({ follow: command.opts().follow === true, ...present<number>('lines', command.opts().lines) }),
  );
}
