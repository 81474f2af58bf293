import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { STORE_FILE_NAME } from '../data-directory/data-directory.js';
import { cancelAllJobs } from './jobs.js';
import { withAdministration } from './open.js';

/** Cancels every unfinished job of the service in `dataDir`, which may never have run; returns their ids. @throws OcrError */
export async function cancelJobsOfService(dataDir: string, env: NodeJS.ProcessEnv): Promise<string[]> {
  if (!existsSync(join(dataDir, STORE_FILE_NAME))) return [];
  return await withAdministration({ dataDir }, env, cancelAllJobs);
}
