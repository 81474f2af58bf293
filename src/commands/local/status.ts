import type { Context } from '../../context.js';
import { describeService } from './describe-service.js';

/** Whether the service on this machine runs, where, and what it is doing. Starts nothing. */
export async function status(context: Context, _options: object): Promise<void> {
  const { dataDir } = await context.directories();
  const { probeService } = await import('../../local/probe-service.js');
  await describeService(context, dataDir, await probeService(dataDir));
}
