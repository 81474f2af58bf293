import type { Context } from '../../context.js';
import type { ServiceLocation } from '../../contract/command-words.js';
import type { Command } from '../commander.js';
import { type Invoke, onRun, pathOf, present, readFlags, UsageMistake } from '../declare.js';

/** The id of an organisation for examples that run as printed. */
export const SOME_ORGANISATION = '"$(ocr admin orgs create --name Archive)"';

/**
 * Declares what an `ocr admin` command does: as onRun, with which service it works on, and with a word about the packages of
 * the service where they are not installed.
 */
export function onAdminRun<O extends object>(
  command: Command,
  invoke: Invoke,
  load: () => Promise<(context: Context, options: O & ServiceLocation) => Promise<void>>,
  read: (command: Command) => O,
): void {
  command
    .option('--data-dir <dir>', 'the data directory of the service')
    .option('--config <file>', 'the settings of the service, as JSON');
  onRun(
    command,
    invoke,
    async () => {
      (await import('../../local/missing-packages.js')).refuseWithoutPackages();
      // As for the service: what is written there is for nobody else on this machine.
      process.umask(0o077);
      return await load();
    },
    (known) => {
      refuseServiceFlags(known);
      const { dataDir, config } = known.opts();
      return { ...read(known), ...present<string>('dataDir', dataDir), ...present<string>('configFile', config) };
    },
  );
}

/** They would choose a service to call: a command that passed over them would change another one. */
function refuseServiceFlags(command: Command): void {
  const { profile, baseUrl } = readFlags(command);
  if (profile === undefined && baseUrl === undefined) return;
  const flag = baseUrl === undefined ? '--profile' : '--base-url';
  throw new UsageMistake(
    `ocr admin does not take ${flag}: it works on the data directory of a service, --data-dir <dir>`,
    pathOf(command),
  );
}
