import type { Context } from '../../../context.js';
import type { ServiceLocation } from '../../../contract/command-words.js';
import { EXIT, type ExitCode } from '../../../contract/exit-codes.js';
import { OcrError } from '../../../contract/ocr-error.js';
import { errorEnvelope } from '../../../io/messages/error-text.js';
import { expandId } from '../../../service/administration/expand-id.js';
import type { JobAdminView } from '../../../service/administration/jobs.js';
import { type Administration, withAdministration } from '../../../service/administration/open.js';
import { combineExitCodes } from '../../../submission-lifecycle/combine-exit-codes.js';

export interface RemoveOptions extends ServiceLocation {
  jobIds: string[];
}

/** Removes one job after the other and prints a line for each, its failure too. `done` is added to the JSON of a success. */
export async function removeEach(
  context: Context,
  { jobIds, ...location }: RemoveOptions,
  remove: (administration: Administration, jobId: string) => Promise<JobAdminView>,
  done: { cancelled: true } | { deleted: true },
): Promise<void> {
  const { env, output } = context;
  const ids = [...new Set(jobIds)];
  const compact = ids.length > 1;
  const codes: ExitCode[] = [];
  await withAdministration(location, env, async (administration) => {
    for (const typed of ids) {
      let jobId = typed;
      try {
        jobId = await expandId(administration.store, 'job', typed);
        const job = await remove(administration, jobId);
        codes.push(EXIT.ok);
        const wasUnfinished = job.error?.code === 'CANCELLED';
        if (output.isJson) await output.json({ ...job, ...done }, { compact });
        else output.note(`${wasUnfinished ? 'Cancelled' : 'Deleted'} ${jobId}`);
      } catch (error) {
        if (!(error instanceof OcrError)) throw error;
        codes.push(error.exitCode);
        if (output.isJson) await output.json({ jobId, ...errorEnvelope(error) }, { compact });
        else await context.report(error, { input: jobId });
      }
    }
  });
  context.exitCode = combineExitCodes(codes);
}
