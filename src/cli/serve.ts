import type { Command } from './commander.js';
import { count, examples, type Invoke, onRun, present } from './declare.js';

export function declareServe(serve: Command, invoke: Invoke): void {
  serve
    .option('--host <address>', 'to listen on (127.0.0.1)')
    .option('--port <number>', 'to listen on; 0 picks one (4077)', count)
    .option('--data-dir <dir>', 'where it keeps documents, jobs and keys')
    .option('--database-url <url>', 'a store for several machines; not in this version')
    .option('--role <role>', 'all; api and worker are not in this version')
    .option('--workers <count>', 'documents read at once (the number of cores)', count)
    .option('--config <file>', 'settings as JSON')
    .option('--print-config', 'print the settings and where each came from, and end')
    .addHelpText('after', examples(['ocr serve --port 0', 'ocr serve --print-config']));
  onRun(
    serve,
    invoke,
    async () => (await import('../commands/serve.js')).serve,
    (command) => {
      const { host, port, dataDir, databaseUrl, role, workers, config, printConfig } = command.opts();
      return {
        ...present<string>('host', host),
        ...present<number>('port', port),
        ...present<string>('dataDir', dataDir),
        ...present<string>('databaseUrl', databaseUrl),
        ...present<string>('role', role),
        ...present<number>('workers', workers),
        ...present<string>('config', config),
        printConfig: printConfig === true,
      };
    },
  );
}
