import type { Command } from './commander.js';
import { define, defineDefault, type Invoke, onRun, renderExamples } from './declare.js';

export function declareFunctions(functions: Command, invoke: Invoke): void {
  functions.addHelpText('after', renderExamples(['ocr functions', 'ocr functions get TEXT_EXTRACTION']));
  const functionsList = defineDefault(functions, 'list', 'the functions of the service').addHelpText(
    'after',
    renderExamples(['ocr functions list', 'ocr functions list --json']),
  );
  onRun(
    functionsList,
    invoke,
    async () => (await import('../commands/functions/list.js')).list,
    () => ({}),
  );
  const functionsGet = define(functions, 'get <function>', 'a function and its arguments').addHelpText(
    'after',
    renderExamples(['ocr functions get TEXT_EXTRACTION', 'ocr functions get TEXT_EXTRACTION --json']),
  );
  onRun(
    functionsGet,
    invoke,
    async () => (await import('../commands/functions/get.js')).get,
    (command) => ({ id: command.args[0] ?? '' }),
  );
  const functionsTypes = define(functions, 'types', 'TypeScript types of the arguments of every function').addHelpText(
    'after',
    renderExamples(['ocr functions types', 'ocr functions types > ocr-functions.d.ts']),
  );
  onRun(
    functionsTypes,
    invoke,
    async () => (await import('../commands/functions/types.js')).types,
    () => ({}),
  );
}
