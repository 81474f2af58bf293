import type { Context } from '../../../context.js';
import { deleteAnyJob } from '../../../service/administration/jobs.js';
import { type RemoveOptions, removeEach } from './remove-each.js';

/** Deletes finished jobs of any organisation with their results. An unfinished job is cancelled. */
export async function deleteJobs(context: Context, options: RemoveOptions): Promise<void> {
  await removeEach(context, options, deleteAnyJob, { deleted: true });
}
