// The service as a process that tests kill: node serve-process.mjs <dataDir> <settings as JSON> [documentProgram]
import { loadServiceConfig } from '../../../dist/service/config/service-config.js';
import { startService } from '../../../dist/service/serve.js';

const [dataDir, settings, documentProgram] = process.argv.slice(2);
const { config } = loadServiceConfig({ flags: { port: 0, dataDir, workers: 2 }, env: {} });
const service = await startService(
  { ...config, ...JSON.parse(settings) },
  { logLevel: process.env.TEST_LOG_LEVEL ?? 'silent', ...(documentProgram === undefined ? {} : { documentProgram }) },
);
process.stdout.write(`${service.url}\n`);
process.on('SIGTERM', () => service.stop());
await service.stopped;
if (service.fault !== undefined) process.exit(1);
