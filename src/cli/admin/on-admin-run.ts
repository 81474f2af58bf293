import type { Context } from '../../context.js';
import type { ServiceLocation } from '../../contract/command-words.js';
import type { Command } from '../commander.js';
import { type Invoke, onRun, pathOf, present, readFlags, UsageMistake } from '../declare.js';

/** An organisation's id, for examples that run as printed. */
export const SOME_ORGANISATION = '"$(ocr admin orgs create --name Archive)"';

/**
 * Declares the action of an `ocr admin` command. It adds to onRun the options that name the service, and a check that the
 * service's packages are installed.
 */
export function onAdminRun<O extends object>(
  command: Command,
  invoke: Invoke,
  load: () => Promise<(context: Context, options: O & ServiceLocation) => Promise<void>>,
  read: (command: Command) => O,
): void {
  command
    .option('--data-dir <dir>', 'the data directory of the service')
    .option('--database-url <url>', 'the database of the service, where processes share one')
    .option('--config <file>', 'the settings of the service, as JSON');
  onRun(
    command,
    invoke,
    async () => {
      (await import('../../local/missing-packages.js')).refuseWithoutPackages();
      // The service's files are private: no other user of this machine may read them.
      process.umask(0o077);
      return await load();
    },
    (known) => {
      refuseServiceFlags(known);
      const { dataDir, databaseUrl, config } = known.opts();
      return {
        ...read(known),
        ...present<string>('dataDir', dataDir),
        ...present<string>('databaseUrl', databaseUrl),
        ...present<string>('configFile', config),
      };
    },
  );
}

/** Refuses flags that choose a service to call: a command that ignored them would change another service. */
function refuseServiceFlags(command: Command): void {
  const { profile, baseUrl } = readFlags(command);
  if (profile === undefined && baseUrl === undefined) return;
  const flag = baseUrl === undefined ? '--profile' : '--base-url';
  throw new UsageMistake(
    `ocr admin does not take ${flag}: it works on the data of a service, --data-dir <dir> or --database-url <url>`,
    pathOf(command),
  );
}
