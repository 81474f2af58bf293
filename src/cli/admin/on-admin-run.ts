import type { Context } from '../../context.js';
import type { Command } from '../commander.js';
import { type Invoke, onRun, present } from '../declare.js';

export interface ServiceLocation {
  dataDir?: string;
  /** Path of a JSON file. */
  configFile?: string;
}

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
      const { dataDir, config } = known.opts();
      return { ...read(known), ...present<string>('dataDir', dataDir), ...present<string>('configFile', config) };
    },
  );
}
