import type { Command } from './commander.js';
import { addHelpProse, define, defineDefault, type Invoke, onRun, renderExamples } from './declare.js';

const SETTINGS =
  'Settings of a profile: base-url, function, format, languages, concurrency, wait-timeout, timeout, cancel-on-interrupt. The setting "profile" says which profile is active, unless --profile or OCR_PROFILE does. Keys are stored by: ocr auth login';

export function declareConfig(config: Command, invoke: Invoke): void {
  addHelpProse(config, SETTINGS).addHelpText('after', renderExamples(['ocr config', 'ocr config list --show-origin']));
  const list = defineDefault(config, 'list', 'the settings in use')
    .option('--show-origin', 'show where each value comes from')
    .addHelpText('after', renderExamples(['ocr config list --show-origin', 'ocr config list --json']));
  onRun(
    list,
    invoke,
    async () => (await import('../commands/config/list.js')).list,
    (command) => ({ showsOrigin: command.opts().showOrigin === true }),
  );
  const get = define(config, 'get <name>', 'print the value of a setting').addHelpText(
    'after',
    renderExamples(['ocr config get format', 'ocr config get base-url --json']),
  );
  onRun(
    get,
    invoke,
    async () => (await import('../commands/config/get.js')).get,
    (command) => ({ name: command.args[0] ?? '' }),
  );
  const set = define(
    config,
    'set <name> <value>',
    'change a setting of the active profile, or the active profile itself',
  );
  addHelpProse(set, SETTINGS).addHelpText(
    'after',
    renderExamples([
      'ocr config set format markdown',
      'ocr config set base-url https://ocr.example.com --profile work',
      'ocr config set profile local',
    ]),
  );
  onRun(
    set,
    invoke,
    async () => (await import('../commands/config/set.js')).set,
    (command) => ({ name: command.args[0] ?? '', value: command.args[1] ?? '' }),
  );
  const unset = define(config, 'unset <name>', 'reset a setting to its default').addHelpText(
    'after',
    renderExamples(['ocr config unset format', 'ocr config unset profile']),
  );
  onRun(
    unset,
    invoke,
    async () => (await import('../commands/config/unset.js')).unset,
    (command) => ({ name: command.args[0] ?? '' }),
  );
  const path = define(config, 'path', 'print the path of the settings file').addHelpText(
    'after',
    renderExamples(['ocr config path', 'ocr config path --json']),
  );
  onRun(
    path,
    invoke,
    async () => (await import('../commands/config/path.js')).path,
    () => ({}),
  );
}
