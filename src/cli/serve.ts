import type { Command } from './commander.js';
import { type Invoke, onRun, present, renderExamples } from './declare.js';

export function declareServe(serve: Command, invoke: Invoke): void {
  serve
    .option('--host <address>', 'address to listen on (127.0.0.1)')
    .option('--port <number>', 'port to listen on; 0 picks one (4077)')
    .option('--data-dir <dir>', 'where it keeps documents, jobs and keys')
    .option('--database-url <url>', 'PostgreSQL database that several processes share')
    .option('--role <role>', 'with a database: api takes calls, worker reads documents (all)')
    .option('--blobs-url <url>', 'bucket for large documents and results: s3://bucket/prefix')
    .option('--workers <count>', 'documents read at once (the number of cores)')
    .option('--config <file>', 'JSON file with settings')
    .option('--print-config', 'print the settings and where each comes from, then exit')
    .addHelpText('after', renderExamples(['ocr serve --port 0', 'ocr serve --print-config']));
  onRun(
    serve,
    invoke,
    async () => (await import('../commands/serve.js')).serve,
    (command) => {
      const { host, port, dataDir, databaseUrl, role, blobsUrl, workers, config, printConfig } = command.opts();
      return {
        ...present<string>('host', host),
        ...present<string>('port', port),
        ...present<string>('dataDir', dataDir),
        ...present<string>('databaseUrl', databaseUrl),
        ...present<string>('role', role),
        ...present<string>('blobsUrl', blobsUrl),
        ...present<string>('workers', workers),
        ...present<string>('config', config),
        printConfig: printConfig === true,
      };
    },
  );
}
