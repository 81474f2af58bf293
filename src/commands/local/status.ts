import type { Context } from '../../context.js';
import { describeService } from './describe-service.js';

/** Prints the state of the service on this machine: running or not, address, work. Starts nothing. */
export async function status(context: Context, _options: object): Promise<void> {
  const { dataDir } = await context.directories();
  const { probeService } = await import('../../local/probe-service.js');
  await describeService(context, dataDir, await probeService(dataDir));
}
