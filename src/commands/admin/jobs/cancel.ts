import type { Context } from '../../../context.js';
import { cancelAnyJob } from '../../../service/administration/jobs.js';
import { type RemoveOptions, removeEach } from './remove-each.js';

/** Cancels unfinished jobs of any organisation. A job that has ended is left as it is, and is a failure. */
export async function cancel(context: Context, options: RemoveOptions): Promise<void> {
  await removeEach(context, options, cancelAnyJob, { cancelled: true });
}
